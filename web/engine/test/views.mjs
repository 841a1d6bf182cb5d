// Plays the deals of a file of `bindings/c/examples/native_views.rs` through the module, and counts what
// differs from the native player, as `bindings/c/compare.c` does:
//
//     node test/views.mjs WASM PLAYER VIEWS_FILE
import { readFile } from "node:fs/promises";
import { createReadStream } from "node:fs";

import { ACTIONS, Engine } from "../dist/index.js";

const [wasm, player, views] = process.argv.slice(2);
const engine = await Engine.create(await readFile(wasm), await readFile(player));

/** FNV-1a over the bits of numbers, four bytes at a time. */
function hash(numbers) {
  let mixed = 0x811c9dc5;
  for (const bits of new Uint32Array(numbers.buffer)) mixed = Math.imul(mixed ^ bits, 0x01000193);
  return mixed >>> 0;
}

const counted = { views: 0, answers: 0, differences: 0, us: 0 };
let milliseconds = 0;

function differs(what) {
  counted.differences += 1;
  if (counted.differences <= 10) console.error(`view ${counted.views}: ${what}`);
}

/** The last of what is said to a line, once all work is done. */
function say(line) {
  const replies = engine.send(line);
  for (let more = true; more; ) {
    const done = engine.work();
    more = done.more;
    replies.push(...done.replies);
  }
  const reply = replies.at(-1);
  if (reply?.type === "error") throw new Error(`${line}: ${JSON.stringify(reply)}`);
  return reply;
}

function view(due) {
  const number = (nth) => due.readUInt32LE(4 * nth);
  const begun = performance.now();
  const { seat, row, legal } = engine.observe("a");
  const { logits, policy, value, action } = engine.forward(row, legal);
  milliseconds += performance.now() - begun;
  const bits = new Uint32Array(logits.buffer);
  if (seat !== number(1)) differs("the seat");
  if (hash(row) !== number(0)) differs("the row");
  if (action[0] !== number(2)) differs("the action");
  if (new Uint32Array(value.buffer)[0] !== number(5)) differs("the value");
  if (hash(policy) !== number(6)) differs("the policy");
  for (let nth = 0; nth < ACTIONS; nth++) {
    if (bits[nth] !== number(7 + nth)) differs("a logit");
    if (legal[nth] !== due[4 * (7 + ACTIONS) + nth]) differs("what is legal");
  }
  if (engine.act("a", number(3)).more !== (number(4) === 1)) differs("whether the decision is whole");
  counted.views += 1;
}

/** Records: a byte for the kind, four for the length, and what it says. */
function record(kind, bytes) {
  if (kind === "V") {
    view(bytes);
  } else if (kind === "S") {
    say(bytes.toString());
  } else {
    const [line, due] = bytes.toString().split("\n");
    // A page has no search without a network.
    if (/"player":"(pimc|ismcts)/.test(line)) return;
    const reply = { ...say(line), spent_ms: 0 };
    if (JSON.stringify(reply) !== JSON.stringify({ ...JSON.parse(due), spent_ms: 0 })) {
      differs(`an answer that takes worlds: ${JSON.stringify(reply)}, expected ${due}`);
    }
    counted.answers += 1;
  }
}

let rest = Buffer.alloc(0);
for await (const chunk of createReadStream(views, { highWaterMark: 1 << 20 })) {
  rest = Buffer.concat([rest, chunk]);
  let at = 0;
  while (rest.length >= at + 5 && rest.length >= at + 5 + rest.readUInt32LE(at + 1)) {
    const end = at + 5 + rest.readUInt32LE(at + 1);
    // A copy: numbers are read where they are aligned.
    record(String.fromCharCode(rest[at]), Buffer.from(rest.subarray(at + 5, end)));
    at = end;
  }
  rest = rest.subarray(at);
}
counted.us = Math.round((1e4 * milliseconds) / counted.views) / 10;
console.log(JSON.stringify(counted));
process.exitCode = counted.differences !== 0 || counted.views === 0 || rest.length !== 0 ? 1 : 0;
