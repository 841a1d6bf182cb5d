// How long the module takes for one decision, for a lead corrected in 200 worlds, and for a lead with 256 worlds:
//
//     node test/times.mjs WASM PLAYER
import { readFile } from "node:fs/promises";

import { Engine } from "../dist/index.js";

const [wasm, player] = process.argv.slice(2);
const engine = await Engine.create(await readFile(wasm), await readFile(player));
const WORLDS = 256;

/** Milliseconds that something takes, in the median. */
function median(times, what) {
  const taken = [];
  for (let nth = 0; nth < times; nth++) {
    const begun = performance.now();
    what(nth);
    taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b)[times >> 1];
}

/** Sends a line and does all work. */
function all(line) {
  engine.send(line);
  while (engine.work().more);
}

engine.send({ type: "open", table: "a", rules: { base: "michigan" }, players: 4, seed: "1" });
const ask = (player) => all({ type: "ask", id: "1", table: "a", player });
const us = Math.round(1e4 * median(2000, () => {
  const { row, legal } = engine.observe("a");
  engine.forward(row, legal);
})) / 10;
const analysed = median(9, () => all({ type: "analyse", id: "1", table: "a", budget: { worlds: WORLDS } }));
const corrected = Math.round(100 * median(200, () => ask("net:player+pimc:200"))) / 100;
const searched = median(5, () => ask(`net:player+search:${WORLDS}`));
console.log(JSON.stringify({ us, corrected, analysed: Math.round(analysed), searched: Math.round(searched) }));
