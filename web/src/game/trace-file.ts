/** Trace files of anybody. The engine plays every deal of them again. */

import { isRefusal } from "../engine/client";
import type { TraceLine } from "./events";
import type { Rules } from "./rules";
import { unmarked } from "./unmarked";

/** Bytes of the largest file that is opened, and deals of the longest one. */
const LARGEST = 32 << 20;
const MOST_DEALS = 20_000;
/** Lines that the engine has before it at a time. */
const AT_ONCE = 32;
/** Characters of a message. */
const LONGEST = 300;

/** A trace that cannot be opened: one line that says where and why. */
export class TraceError extends Error {
  override name = "TraceError";
}

/** Plays the deal of a line again; the rules of the deal. */
type Check = (line: unknown) => Promise<Rules>;

/** The deals of a trace, and the rules of each. */
export interface Trace {
  lines: TraceLine[];
  rulesOf: (line: TraceLine) => Rules;
}

/** The deals of a file; one that is too large is not read. */
export async function parseFile(file: Blob, check: Check): Promise<Trace> {
  if (file.size > LARGEST) wrong(`the file is too large: expected at most ${LARGEST >> 20} MiB`);
  return parse(await file.text(), check);
}

/** The deals of a text. How they follow on each other in a session, `newmarket trace --check` looks at. */
export async function parse(text: string, check: Check): Promise<Trace> {
  if (text.trim() === "") wrong("the file is empty: expected a deal on each line");
  const texts = text.replace(/\n$/, "").split("\n");
  if (texts.length > MOST_DEALS) wrong(`the file has ${texts.length} lines: expected at most ${MOST_DEALS} deals`);
  const lines: TraceLine[] = [];
  const rules = new Map<TraceLine, Rules>();
  for (let first = 0; first < texts.length; first += AT_ONCE) {
    const some = texts.slice(first, first + AT_ONCE);
    for (const [line, found] of await Promise.all(some.map((text, nth) => checked(text, first + nth + 1, check)))) {
      lines.push(line);
      rules.set(line, found);
    }
  }
  return { lines, rulesOf: (line) => rules.get(line) as Rules };
}

async function checked(text: string, number: number, check: Check): Promise<[TraceLine, Rules]> {
  try {
    const line = JSON.parse(unmarked(text)) as TraceLine;
    return [line, await check(line)];
  } catch (error) {
    if (error instanceof SyntaxError) return wrong(`line ${number}: it is no JSON: expected a deal of a trace`);
    if (!isRefusal(error)) throw error;
    const { field, message } = error;
    return wrong(`line ${number}: ${field === undefined || field === "record" ? "" : `\`${field}\`: `}${message}`);
  }
}

function wrong(problem: string): never {
  throw new TraceError(problem.length > LONGEST ? `${problem.slice(0, LONGEST)}…` : problem);
}
