// Writes the advice of docs/strategy.md as the page has it: the strategy `basic`, and what its facts mean, from the
// table of docs/STRATEGIES.md: `node vite/strategy.mjs OUT`.
import { readFile, writeFile } from "node:fs/promises";

import { parse } from "smol-toml";

const text = (path) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const { lead, games } = parse(await text("agents/strategies/basic.toml"));
const tables = /<!-- facts -->([\s\S]*?)<!-- end -->/.exec(await text("docs/STRATEGIES.md"))?.[1];
if (tables === undefined) throw new Error("docs/STRATEGIES.md has no table of facts");
/** What each fact means: of a suit, and of the hand and the table. */
const facts = { suit: {}, table: {} };
for (const part of tables.split(/^\*\*/m).slice(1)) {
  const scope = part.startsWith("Of a suit") ? "suit" : part.startsWith("Of your hand") ? "table" : null;
  if (scope === null) continue;
  for (const [, name, meaning] of part.matchAll(/^\| `([^`]+)` \|[^|]*\|[^|]*\| (.+?) \|$/gm)) facts[scope][name] = meaning;
}
await writeFile(process.argv[2], `${JSON.stringify({ lead, games, facts })}\n`);
