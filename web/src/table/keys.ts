/** The keys at the table: one list for those who press them, for the menu and for the help. */

export type Act = "hint" | "values" | "undo" | "skip" | "next" | "log";

interface Key {
  label: string;
  means: string;
  /** In a word or two, for the menu. */
  word?: string;
  /** What the table does; the other keys are those of the control that has the focus. */
  act?: Act;
}

export const KEYS: readonly Key[] = [
  { label: "Tab", means: "to the next control" },
  { label: "← →", means: "among the cards of the hand, or the choices" },
  { label: "Enter or Space", means: "do it; play your card when it waits", word: "play your card" },
  { label: "1 to 9", means: "choose by number, or stake a chip on a boodle", word: "choose" },
  { label: "H", means: "hint: what the champion would do", word: "hint", act: "hint" },
  { label: "V", means: "values of all choices", word: "values", act: "values" },
  { label: "U", means: "undo", word: "undo", act: "undo" },
  { label: "S", means: "skip to your next card or decision", word: "skip", act: "skip" },
  { label: "N", means: "next deal, or go on", word: "next", act: "next" },
  { label: "L", means: "open or close the log, on a small screen", word: "log", act: "log" },
];

const ACTS = new Map(KEYS.flatMap(({ label, act }) => (act ? [[label.toLowerCase(), act] as const] : [])));

/** What a key means at the table: an act, the number of a choice, or the card that waits; `null` for others, and for one that is held down. */
export function meant({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent): Act | number | "play" | null {
  if (repeat || ctrlKey || metaKey || altKey) return null;
  if (key === "Enter" || key === " ") return "play";
  return /^[1-9]$/.test(key) ? Number(key) : (ACTS.get(key) ?? null);
}
