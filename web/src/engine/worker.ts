/** The worker: fetches the module and the champion's file, and runs the engine. */

import { Engine, hasSimd } from "newmarket-engine";
import simd from "newmarket-engine/wasm/newmarket-simd.wasm?url";
import scalar from "newmarket-engine/wasm/newmarket.wasm?url";

import champion from "../../assets/champion.safetensors?url";
import { Host } from "./host";
import type { Sent } from "./host";

async function bytes(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) {
    const why = response ? `${response.status} ${response.statusText}` : "there is no connection";
    throw new Error(`The player could not be loaded: ${why}.`);
  }
  return response.arrayBuffer();
}

let files: Promise<[WebAssembly.Module, Uint8Array]> | null = null;

function load(): Promise<[WebAssembly.Module, Uint8Array]> {
  files ??= Promise.all([
    bytes(hasSimd() ? simd : scalar).then((wasm) => WebAssembly.compile(wasm)),
    bytes(champion).then((file) => new Uint8Array(file)),
  ]);
  // What could not be loaded is tried again when it is needed next.
  files.catch(() => (files = null));
  return files;
}

// The files come while the page is still being drawn.
void load().catch(() => undefined);

const host = new Host(
  async () => Engine.create(...(await load())),
  (answered) => postMessage(answered),
);

onmessage = ({ data }: MessageEvent<Sent>) => host.receive(data);
