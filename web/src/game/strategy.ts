/** Strategy files that the person has chosen: an opponent, or the adviser whose choice a hint shows. */

import type { Fault, Strategy } from "newmarket-engine";

import { tableOf } from "../rules/toml";
import { unmarked } from "./unmarked";

/** A strategy, and what it is called here. */
export interface StrategyFile {
  name: string;
  content: Strategy;
}

/** What a chosen file says, or why it cannot be used, a problem a line. */
export type Read = StrategyFile | string[];

/** The engine takes no longer message. */
const MOST = 60_000;

/** What the text of a strategy file says, in TOML or JSON; or why it says nothing. */
export function contentOf(text: string): Strategy | string {
  if (!text.trimStart().startsWith("{")) return tableOf(text);
  try {
    return JSON.parse(unmarked(text)) as Strategy;
  } catch (error) {
    return `The file is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const words = ({ key, problem, expected }: Fault): string => `${key} ${problem}: expected ${expected}`;

/** Reads a strategy file; `judge` asks the engine for its faults. */
export async function readStrategy(
  file: Pick<File, "name" | "size" | "text">,
  judge: (content: Strategy) => Promise<{ faults: Fault[]; name?: string | undefined }>,
): Promise<Read> {
  const content = file.size > MOST ? "" : contentOf(await file.text());
  if (content === "" || JSON.stringify(content).length > MOST) return [`A strategy file has at most ${MOST.toLocaleString("en")} characters.`];
  if (typeof content === "string") return [content];
  const { faults, name } = await judge(content);
  if (faults.length > 0) return faults.map(words);
  return { name: name ?? file.name.replace(/\.(toml|json)$/i, ""), content };
}

/** Whether something that was stored is a strategy. Whether it can be played, the engine says. */
export function isStrategyFile(value: unknown): value is StrategyFile {
  if (typeof value !== "object" || value === null) return false;
  const { name, content } = value as Record<string, unknown>;
  return typeof name === "string" && typeof content === "object" && content !== null && !Array.isArray(content);
}
