/** Trace files of anybody: nothing of them is believed before it has been looked at. */

import type { Card, DealEvent, TraceLine } from "./events";
import { NAMES, cellNames, resolve } from "./rules";
import type { Rules } from "./rules";
import { SCHEMA, houseOf } from "./trace";
import { openingOf, replay } from "./view";

/** Bytes of the largest file that is opened, and deals of the longest one. */
const LARGEST = 32 << 20;
const MOST_DEALS = 20_000;
const MOST_EVENTS = 4096;
/** Milliseconds between two breaks. */
const SLICE = 12;
/** Characters of somebody else's text in a message. */
const QUOTED = 60;

/** A trace that cannot be opened: one line that says where and why. */
export class TraceError extends Error {
  override name = "TraceError";
}

/** The deals of a file; one that is too large is not read. */
export async function parseFile(file: Blob): Promise<TraceLine[]> {
  if (file.size > LARGEST) wrong(`the file is too large: expected at most ${LARGEST >> 20} MiB`);
  return parse(await file.text());
}

/**
 * The deals of a text, read with breaks in which the page is drawn. Whether every event is due,
 * `newmarket trace --check` says; here all of them can be shown.
 */
export async function parse(text: string): Promise<TraceLine[]> {
  if (text.trim() === "") wrong("the file is empty: expected a deal on each line");
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length > MOST_DEALS) wrong(`the file has ${lines.length} lines: expected at most ${MOST_DEALS} deals`);
  const found: TraceLine[] = [];
  let begun = performance.now();
  for (const [nth, line] of lines.entries()) {
    try {
      found.push(parseLine(line));
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      throw new TraceError(`line ${nth + 1}: ${error.message}`);
    }
    if (performance.now() - begun < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    begun = performance.now();
  }
  return found;
}

function wrong(problem: string): never {
  throw new TraceError(problem);
}

function parseLine(text: string): TraceLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong("it is no JSON: expected a deal of a trace");
  }
  if (!isObject(value)) return wrong("expected an object");
  if (value.schema !== SCHEMA) wrong(`\`schema\`: expected "${SCHEMA}"`);
  for (const key of Object.keys(value)) if (!(key in FORMS)) wrong(`${quoted(key)} is no key of a trace`);
  for (const [key, form] of Object.entries(FORMS)) {
    if (value[key] === undefined ? !OPTIONAL.includes(key) : !form.is(value[key])) {
      wrong(`\`${key}\`: expected ${form.name}`);
    }
  }
  const line = value as unknown as TraceLine;
  fits(line);
  return line;
}

interface Form {
  name: string;
  is: (value: unknown) => boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isList = (each: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(each);
const isCard = (value: unknown): value is Card => typeof value === "string" && /^[A2-9TJQK][CDHS]$/.test(value);
const isText = (value: unknown): value is string => typeof value === "string";

const WHOLE: Form = { name: "a whole number", is: isWhole };
const CHIPS: Form = { name: "a list of whole numbers", is: isList(isWhole) };
const CARDS: Form = { name: "a list of cards", is: isList(isCard) };
const TEXT: Form = { name: "a text", is: isText };
const CARD: Form = { name: "a card", is: isCard };

const FORMS: Record<keyof TraceLine, Form> = {
  schema: TEXT,
  rules: { name: 'a named game, as "michigan"', is: (value) => isText(value) && NAMES.includes(value) },
  overrides: { name: "an object", is: isObject },
  players: { name: "2 to 8", is: (value) => isWhole(value) && value >= 2 && value <= 8 },
  dealer: WHOLE,
  session: {
    name: "the number of a deal, how many there are, and the bankroll",
    is: (value) => isObject(value) && isWhole(value.deal) && isWhole(value.of) && value.bankroll !== undefined,
  },
  seats_in: { name: "a list of true and false", is: isList((value) => typeof value === "boolean") },
  stacks_before: CHIPS,
  layout_before: CHIPS,
  kitty_before: WHOLE,
  pack: CARDS,
  events: {
    name: `a list of at most ${MOST_EVENTS} events`,
    is: (value) => isList(isObject)(value) && (value as unknown[]).length <= MOST_EVENTS,
  },
  payoffs: CHIPS,
  stacks_after: CHIPS,
  layout_after: CHIPS,
  kitty_after: WHOLE,
};
const OPTIONAL: readonly string[] = ["session", "seats_in"];

/** Lists by seat, and lists by cell. */
const BY_SEAT = ["seats_in", "stacks_before", "payoffs", "stacks_after"] as const;
const BY_CELL = ["layout_before", "layout_after"] as const;

/** The fields of each event; those with a question mark may be left out. */
const EVENTS: Record<DealEvent["e"], string> = {
  rebuy: "seat chips",
  ante: "seat kitty layout",
  spill: "from to chips",
  deal: "hands dead",
  keep: "seat",
  exchange: "seat paid to dead",
  auction: "seat",
  bid: "seat chips",
  pass: "seat",
  collect: "seat cell chips",
  set_apart: "seat cards",
  check: "seat chips",
  bet: "seat chips",
  call: "seat chips",
  raise: "seat chips",
  fold: "seat chips",
  showdown: "winners hands? paid",
  lead: "seat card",
  play: "seat card",
  claim: "seat cell chips",
  stop: "seat card why",
  pass_lead: "seat",
  out: "seat",
  no_winner: "",
  settle: "winner kitty cards paid",
  leftover: "from seat chips",
};

/** Lists have the lengths of the table, events the fields of their kind, and all of them can be drawn. */
function fits(line: TraceLine): void {
  const rules = rulesOf(line);
  const { players } = line;
  for (const key of BY_SEAT) {
    if (line[key] && line[key].length !== players) wrong(`\`${key}\`: expected ${players} entries`);
  }
  for (const key of BY_CELL) {
    if (line[key].length !== rules.cells.length) wrong(`\`${key}\`: expected ${rules.cells.length} entries`);
  }
  const isSeat = (value: unknown) => isWhole(value) && value >= 0 && value < players;
  if (!isSeat(line.dealer)) wrong(`\`dealer\`: expected a seat, 0 to ${players - 1}`);
  const cells = cellNames(rules);
  const seat: Form = { name: `a seat, 0 to ${players - 1}`, is: isSeat };
  const pile: Form = { name: "a cell or the kitty", is: (it) => it === "kitty" || cells.includes(it as string) };
  const chips: Form = { name: `${players} whole numbers`, is: (it) => CHIPS.is(it) && (it as []).length === players };
  const hands: Form = {
    name: `${players} lists of cards`,
    is: (it) => isList(CARDS.is)(it) && (it as []).length === players,
  };
  const layout: Form = {
    name: `${cells.length} whole numbers`,
    is: (it) => CHIPS.is(it) && (it as []).length === cells.length,
  };
  const payees = [null, "kitty", "layout", ...line.stacks_before.map((_, nth) => `seat:${nth}`)];
  const payee: Form = {
    name: "the kitty, the layout, a seat or null",
    is: (it) => payees.includes(it as string | null),
  };
  const named: Form = {
    name: "hands of poker by seat",
    is: (it) => isObject(it) && Object.entries(it).every(([key, hand]) => isSeat(Number(key)) && isText(hand)),
  };
  const fields: Record<string, Form> = {
    seat,
    winner: seat,
    chips: WHOLE,
    kitty: WHOLE,
    layout,
    from: pile,
    to: pile,
    cell: { name: "a cell", is: (it) => cells.includes(it as string) },
    hands,
    dead: CARDS,
    card: CARD,
    cards: CARDS,
    why: { name: "top, removed, dead or played", is: (it) => WHYS.includes(it as string) },
    winners: { name: "a list of seats", is: isList(isSeat) },
    paid: chips,
  };
  const special: Record<string, Record<string, Form>> = {
    exchange: { paid: WHOLE, to: payee },
    showdown: { hands: named },
    settle: { cards: chips },
  };
  line.events.forEach((event, nth) => {
    const wanted = Object.hasOwn(EVENTS, event.e) ? EVENTS[event.e].split(" ").filter(Boolean) : null;
    if (wanted === null) return wrong(`event ${nth + 1}: ${quoted(String(event.e))} is no event`);
    const given = event as unknown as Record<string, unknown>;
    for (const key of wanted) {
      const name = key.replace("?", "");
      const form = special[event.e]?.[name] ?? fields[name];
      const missing = given[name] === undefined && key.endsWith("?");
      if (!missing && !form?.is(given[name])) wrong(`event ${nth + 1}, \`${name}\`: expected ${form?.name}`);
    }
    const extra = Object.keys(given).find((key) => key !== "e" && !wanted.some((it) => it.replace("?", "") === key));
    if (extra !== undefined) wrong(`event ${nth + 1}: ${quoted(extra)} is no field of it`);
    return undefined;
  });
  draw(line, rules);
}

const WHYS: readonly string[] = ["top", "removed", "dead", "played"];

/** The rules of a line, or what is wrong with their form. The engine is asked for the rest. */
function rulesOf(line: TraceLine): Rules {
  try {
    const rules = resolve(houseOf(line));
    cellNames(rules);
    return rules;
  } catch {
    return wrong("`overrides`: expected keys and values of a rules file");
  }
}

/** Draws all events once: what is shown must come to what the line says. */
function draw(line: TraceLine, rules: Rules): void {
  let end;
  try {
    end = replay(openingOf(line, rules, line.rules), line.events);
  } catch {
    return wrong("the events cannot be shown one after the other");
  }
  const stacks = end.seats.map(({ stack }) => stack);
  if (JSON.stringify(stacks) !== JSON.stringify(line.stacks_after)) {
    wrong("`stacks_after` is not what the events come to");
  }
  return undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}
