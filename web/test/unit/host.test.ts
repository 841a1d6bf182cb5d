import { FailedError, type Engine, type Request } from "newmarket-engine";
import { expect, test } from "vitest";

import { EngineError } from "../../src/engine/client";
import { gameRules, gameWords } from "../../src/game/rules";
import { client, create, spent } from "./engine";

const setup = { house: { base: "michigan" }, players: 4, seed: "7" };

/** Engines of which some fail in a call, as a fault of the module would. */
function failing(when: (calls: number, type?: string) => boolean): { make: () => Promise<Engine>; made: () => number } {
  let [calls, made] = [0, 0];
  const make = async (): Promise<Engine> => {
    made += 1;
    const engine = await create();
    const trap = <T>(call: () => T, type?: string): T => {
      calls += 1;
      if (when(calls, type)) throw new FailedError(new WebAssembly.RuntimeError("unreachable"));
      return call();
    };
    return {
      send: (request: Parameters<Engine["send"]>[0]) => trap(() => engine.send(request), (request as Request).type),
      work: () => trap(() => engine.work()),
    } as unknown as Engine;
  };
  return { make, made: () => made };
}

/** The table after a few decisions, one of them taken back. */
async function played(engine: ReturnType<typeof client>): Promise<unknown> {
  let table = await engine.open("a", setup);
  for (let decisions = 0; decisions < 6; decisions++) {
    const choice = await engine.ask("a", "net:player");
    table = await engine.table({ type: "answer", table: "a", do: choice });
    if (decisions === 2) table = await engine.table({ type: "undo", table: "a" });
  }
  return table;
}

test("a fault of the module in any call is not noticed at the table", async () => {
  const expected = await played(client());
  for (let at = 1; at <= 14; at++) {
    const { make, made } = failing((calls) => calls === at);
    expect(await played(client(make))).toEqual(expected);
    expect(made()).toBe(2);
  }
});

test("a fault that comes again is told, and the next request finds the tables again", async () => {
  let broken = false;
  const { make } = failing(() => broken);
  const engine = client(make);
  const table = await engine.open("a", setup);
  broken = true;
  await expect(engine.table({ type: "state", table: "a" })).rejects.toThrow("unreachable");
  broken = false;
  expect(await engine.table({ type: "state", table: "a" })).toEqual(table);
});

test("an engine that cannot be loaded is tried again", async () => {
  let online = false;
  const engine = client(() => (online ? create() : Promise.reject(new Error("no network"))));
  await expect(engine.open("a", setup)).rejects.toThrow(new EngineError("engine", "no network"));
  online = true;
  expect((await engine.open("a", setup)).deal).toBe(1);
});

test("an analysis is refined, stopped, and does not keep others waiting", { retry: 2 }, async () => {
  const engine = client();
  await engine.open("a", setup);
  let refined = 0;
  const long = engine.analyse("a", 65_536, () => (refined += 1));
  const begun = spent();
  await engine.ask("a", "net:player");
  expect(spent() - begun).toBeLessThan(200);
  await expect.poll(() => refined).toBeGreaterThan(1);
  long.stop();
  const last = await long.done;
  expect([last.final, last.worlds < 65_536]).toEqual([true, true]);
  const short = await engine.analyse("a", 64).done;
  expect([short.worlds, short.actions.length]).toEqual([64, 4]);
});

test("an analysis that is lost with its engine is told, and the next one works", async () => {
  let broken = false;
  const { make } = failing(() => broken);
  const engine = client(make);
  await engine.open("a", setup);
  const { done } = engine.analyse("a", 65_536);
  setTimeout(() => (broken = true), 20);
  await expect(done).rejects.toThrow("unreachable");
  broken = false;
  expect((await engine.analyse("a", 64).done).final).toBe(true);
});

test("a fault in another request ends an analysis, whose table may have gone on", async () => {
  let broken = true;
  const { make, made } = failing((_, type) => {
    if (type !== "ask" || !broken) return false;
    broken = false;
    return true;
  });
  const engine = client(make);
  await engine.open("a", setup);
  const lost = expect(engine.analyse("a", 65_536).done).rejects.toThrow("unreachable");
  expect((await engine.ask("a", "net:player")).e).toBe("lead");
  await lost;
  expect(made()).toBe(2);
});

test("whoever stops what has ended is told so", async () => {
  const engine = client();
  await engine.open("a", setup);
  expect(await engine.send({ type: "stop", id: "none" })).toBeTruthy();
  expect(await engine.send({ type: "over", table: "a" })).toBeTruthy();
  await expect(engine.table({ type: "state", table: "a" })).rejects.toMatchObject({ code: "table" });
});

test("what is refused says why, by its code and field", async () => {
  const engine = client();
  const wrong = engine.open("a", { ...setup, players: 9 });
  await expect(wrong).rejects.toMatchObject({ code: "rules", field: "players" });
  expect(await engine.judge({ base: "michigan", session: { deals: 0 } })).toMatchObject({ faults: [{ key: "session.deals" }], rules: null });
  expect(await engine.judge({ base: "michigan", name: "ours" })).toEqual({ faults: [], rules: gameRules("michigan"), words: gameWords("michigan") });
});
