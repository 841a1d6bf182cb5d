// Writes what the engine says of rules: the named games with all options and in words, and the options for an editor. The page has
// them before its engine is loaded: `node vite/rules.mjs OUT`.
import { readFile, writeFile } from "node:fs/promises";

import { Engine } from "newmarket-engine";

const file = (path) => readFile(new URL(`../${path}`, import.meta.url));
const engine = await Engine.create(await file("engine/wasm/newmarket.wasm"), await file("assets/champion.safetensors"));
const [{ games, options }] = engine.send({ type: "options" });
const rules = (base) => engine.send({ type: "rules", rules: { base } })[0];
const named = (of) => Object.fromEntries(games.map((base) => [base, of(rules(base))]));
const known = { games: named(({ resolved }) => resolved), words: named(({ words }) => words), options };
await writeFile(process.argv[2], `${JSON.stringify(known)}\n`);
