import { Engine } from "newmarket-engine";
import player from "newmarket-engine/champion.safetensors?url";
import wasm from "newmarket-engine/wasm/newmarket-simd.wasm?url";

const [module, champion] = await Promise.all([fetch(wasm), fetch(player)]);
const engine = await Engine.create(await module.arrayBuffer(), await champion.arrayBuffer());
let table = engine.open({ table: "a", rules: { base: "michigan" }, players: 4, seed: "7" });
while (!table.deal_over) {
  engine.act("a");
  table = engine.state("a");
}
await fetch("./deal", { method: "POST", body: JSON.stringify(table.stacks) });
