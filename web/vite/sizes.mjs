// Prints what the files of a built page weigh, and fails if the first load is heavier than it may be:
// `node vite/sizes.mjs dist`.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
/** What each kind of file may have, gzipped. The other module is for browsers without SIMD. */
const KINDS = [
  ["page", /\.(html|js|css|svg|webmanifest)$/, 220_000],
  ["engine", /simd.*\.wasm$/, 212_000],
  ["champion", /\.safetensors$/, 1_150_000],
];
const FIRST_LOAD = 1_600_000;

const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".gz"));
const row = (what, bytes, most) =>
  console.log(`${what.padEnd(12)}${(bytes / 1000).toFixed(1).padStart(9)} KB gzipped, may have ${most / 1000}`);
let first = 0;
for (const [kind, pattern, most] of KINDS) {
  const own = files.filter((name) => pattern.test(name.slice(0, -3)));
  const bytes = own.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  row(kind, bytes, most);
  if (own.length === 0 || bytes > most) {
    console.error(`error: ${kind}: ${own.length === 0 ? "no file" : "too large"}`);
    process.exitCode = 1;
  }
  first += bytes;
}
row("first load", first, FIRST_LOAD);
if (first > FIRST_LOAD) {
  console.error("error: the first load is too large");
  process.exitCode = 1;
}
