/** The engine in this thread, for tests: the real module, with the champion. */

import { readFile } from "node:fs/promises";

import { Engine } from "newmarket-engine";

import { Client } from "../../src/engine/client";
import type { Port } from "../../src/engine/client";
import { Host } from "../../src/engine/host";
import type { Answered } from "../../src/engine/host";

const file = (path: string) => readFile(new URL(`../../${path}`, import.meta.url));

const module = await WebAssembly.compile(await file("engine/wasm/newmarket-simd.wasm"));
const champion = await file("assets/champion.safetensors");

export const create = (): Promise<Engine> => Engine.create(module, champion);

/** Milliseconds of processor time that the engine and its test have taken: what else the machine does is not counted. */
export function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A client whose engine is made by `make`. */
export function client(make: () => Promise<Engine> = create): Client {
  let listen: (answered: Answered) => void = () => undefined;
  const host = new Host(make, (answered) => listen(structuredClone(answered)));
  const port: Port = {
    post: (sent) => host.receive(structuredClone(sent)),
    listen: (each) => {
      listen = each;
    },
  };
  return new Client(port);
}
