// Plays a deal of Michigan by the champion, and says what each seat has.
import { readFile } from "node:fs/promises";
import { Engine, hasSimd, type Answer, type Table } from "newmarket-engine";

const file = (path: string): Promise<Buffer> => readFile(new URL(import.meta.resolve(`newmarket-engine/${path}`)));
const module = hasSimd() ? "newmarket-simd.wasm" : "newmarket.wasm";
const engine = await Engine.create(await file(`wasm/${module}`), await file("champion.safetensors"));
let table: Table = engine.open({ table: "a", rules: { base: "michigan" }, players: 4, seed: "7" });
const answer: Answer = await engine.ask({ table: "a", player: "net:player" });
if (answer.do.e !== "lead") throw new Error("expected a lead");
while (!table.deal_over) {
  engine.act("a");
  table = engine.state("a");
}
console.log(JSON.stringify(table.stacks));
