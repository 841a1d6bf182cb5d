import { describe, expect, test } from "vitest";

import { NAMES, gameRules } from "../../src/game/rules";
import { GameSession } from "../../src/game/session.svelte";
import { client } from "./engine";
import { AT_ONCE, Notes, choose, finish, random, seen, setupOf, step } from "./play";

const engine = client();

/** What is drawn has the chips that the engine has. */
function same({ view, table }: GameSession): void {
  // Whoever splits an ante has paid the kitty already: that is told with the ante.
  if (table.ante !== undefined) return;
  expect(view.seats.map(({ stack }) => stack)).toEqual(table.stacks);
  expect(view.layout).toEqual(table.layout);
  expect(view.kitty).toBe(table.kitty);
}

/** The session as it is resumed elsewhere from what has been kept. */
async function resumed(session: GameSession, notes: Notes): Promise<GameSession> {
  if (notes.last === null) throw new Error("nothing has been kept");
  const records = structuredClone(session.records) as GameSession["records"];
  return GameSession.resume(engine, session.setup, notes.last, records, AT_ONCE);
}

describe.each(NAMES)("%s", (base) => {
  const [least, most] = gameRules(base).players;
  test.each([least, most])("a session of %i is played to its end", async (players) => {
    const setup = setupOf(base, players, { seat: players - 1 });
    const notes = new Notes();
    const session = await GameSession.start(engine, setup, AT_ONCE, notes);
    const draw = random(players);
    await finish(session, draw, () => same(session));
    same(session);
    const { deal } = session.table;
    expect(session.records.map((line) => line.session?.deal)).toEqual([...Array(deal).keys()].map((n) => n + 1));
    // What was counted deal by deal is what the session came to.
    const [first] = session.records;
    const gained = (session.table.stacks.at(-1) ?? 0) - (first?.stacks_before.at(-1) ?? 0);
    expect(notes.closings.reduce((sum, { chips }) => sum + chips, 0)).toBe(gained);
    expect(notes.closings.filter(({ ended }) => ended)).toHaveLength(1);
    session.leave();
  });

  test("is resumed in the middle of a deal, after it, and when the session is over", async () => {
    const notes = new Notes();
    const session = await GameSession.start(engine, setupOf(base, 4), AT_ONCE, notes);
    const draw = random(3);
    for (let steps = 0; steps < 25 && !session.table.session_over; steps++) {
      await step(session, draw);
      const again = await resumed(session, notes);
      expect(seen(again)).toEqual(seen(session));
      again.leave();
    }
    await finish(session, draw);
    const again = await resumed(session, notes);
    expect(seen(again)).toEqual(seen(session));
  });

  test("undo leads back to the person's last decision, and the same choice to the same deal", async () => {
    const session = await GameSession.start(engine, setupOf(base, 3, { seat: 1 }), AT_ONCE);
    const draw = random(7);
    const before: unknown[] = [];
    const made: Parameters<GameSession["decide"]>[0][] = [];
    while (session.turn) {
      before.push(seen(session));
      const choice = choose(session, session.turn, draw);
      made.push(choice);
      await session.decide(choice);
    }
    const end = seen(session);
    while (session.canUndo) {
      await session.undo();
      expect(seen(session)).toEqual(before.pop());
    }
    expect(before).toEqual([]);
    for (const choice of made) await session.decide(choice);
    expect(seen(session)).toEqual(end);
  });
});

test("events are shown one by one, and all at once for whoever skips", async () => {
  const slow = { pace: "slow", cards: "relaxed", coach: false } as const;
  const session = await GameSession.start(engine, setupOf("michigan", 4), slow);
  expect([session.busy, session.turn, session.view.log.length]).toEqual([true, null, 1]);
  session.skip();
  await expect.poll(() => session.turn).not.toBe(null);
  expect(session.view.log.length).toBe(session.table.told[0]);
  await Promise.race([session.decide(session.turn!.legal[0]!), new Promise((done) => setTimeout(done, 30))]);
  expect([session.busy, session.turn]).toEqual([true, null]);
  // Taken back while events are still being shown.
  await session.undo();
  expect(session.view.log.length).toBe(session.table.told[0]);
  expect([session.busy, session.canUndo]).toEqual([false, false]);
  expect(session.turn).not.toBe(null);
});

test("a card that waits goes on waiting when the page is loaded again", async () => {
  const waits = { pace: "instant", cards: "until I play", coach: false } as const;
  const notes = new Notes();
  let session = await GameSession.start(engine, setupOf("newmarket", 4), waits, notes);
  const draw = random(9);
  let [cards, last] = [0, session.view.log.length];
  while (!session.view.over) {
    await expect.poll(() => session.waiting !== null || session.turn !== null || session.view.over).toBe(true);
    if (session.view.over) break;
    const { waiting, view } = session;
    if (notes.last === null) throw new Error("nothing has been kept");
    expect(notes.last.left ?? 0).toBe(waiting ? session.table.told[0]! - view.log.length : 0);
    const records = structuredClone(session.records) as GameSession["records"];
    const again = await GameSession.resume(engine, session.setup, structuredClone(notes.last), records, waits, notes);
    expect([again.waiting?.event, again.view.log]).toEqual([waiting?.event, view.log]);
    expect(view.log.length).toBeGreaterThanOrEqual(last);
    session.leave();
    session = again;
    last = view.log.length;
    if (waiting) {
      cards += 1;
      session.play();
    } else if (session.turn) void session.decide(choose(session, session.turn, draw));
    await expect.poll(() => session.view.log.length).toBeGreaterThan(last);
  }
  expect(cards).toBeGreaterThan(2);
});

test("what is not legal is refused in words, and the turn stays", async () => {
  const session = await GameSession.start(engine, setupOf("newmarket", 4, { seat: 1 }), AT_ONCE);
  const { turn } = session;
  await session.decide({ e: "lead", card: "AS" });
  expect(session.problem).toMatch(/may not decide so/);
  expect(session.turn).toEqual(turn);
  expect(session.canUndo).toBe(false);
});

test("somebody who is out sees no hands, and the others play on", async () => {
  const house = {
    base: "michigan",
    players: [2, 8],
    session: { deals: 30, bankroll: { chips: { start: 8, on_bust: "eliminate" } } },
  };
  let out = 0;
  for (const seed of ["1", "2", "3", "4", "5", "6"]) {
    const setup = setupOf("michigan", 6, { house, level: "champion", seed });
    const session = await GameSession.start(engine, setup, AT_ONCE);
    await finish(session, random(1), () => {
      same(session);
      if (session.table.before.seats_in[0]) return;
      out += 1;
      expect([session.turn, session.table.deal_over]).toEqual([null, true]);
      expect(session.view.seats.map(({ hand }) => hand)).toEqual(Array(6).fill(null));
      expect(session.view.deadHand.cards).toBe(null);
      expect(session.view.over).toBe(true);
    });
  }
  expect(out).toBeGreaterThan(0);
});

test("whoever is left alone has won, whatever others have", async () => {
  const session = { deals: 60, bankroll: { chips: { start: 9, on_bust: "eliminate" } }, leftover: "lot" };
  let richer = 0;
  for (const seed of Array(20).keys()) {
    const setup = setupOf("hoyle-1885", 2, { house: { base: "hoyle-1885", players: [2, 8], session }, seed: `${seed}` });
    const notes = new Notes();
    const game = await GameSession.start(engine, setup, AT_ONCE, notes);
    await finish(game, random(1), () => expect(game.table.winners).toBe(undefined));
    const { stacks, winners = [] } = game.table;
    const most = Math.max(...stacks);
    // One is left alone; or all deals are played, or both are out.
    if (winners.length !== 1) expect(winners).toEqual([0, 1].filter((seat) => stacks[seat] === most));
    if (winners.every((seat) => stacks[seat]! < most)) richer += 1;
    expect(notes.closings.at(-1)?.won).toBe(winners.includes(0));
  }
  expect(richer).toBeGreaterThan(0);
});

test("who is bust buys chips, and the records say so", async () => {
  const house = { base: "michigan", session: { deals: 8, bankroll: { chips: { start: 8, on_bust: "rebuy" } } } };
  const notes = new Notes();
  const session = await GameSession.start(engine, setupOf("michigan", 4, { house }), AT_ONCE, notes);
  await finish(session, random(2), () => same(session));
  const rebuys = session.records.flatMap(({ events }) => events.filter(({ e }) => e === "rebuy"));
  expect(rebuys.length).toBeGreaterThan(0);
  for (const { payoffs, stacks_after: after } of session.records) expect(payoffs).toHaveLength(after.length);
  const again = await resumed(session, notes);
  expect(seen(again)).toEqual(seen(session));
});
