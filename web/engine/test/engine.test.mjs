// The package as a page uses it. PLAYER names the file of a player; both modules are tried.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { ACTIONS, Engine, FailedError, INPUTS, RefusedError, hasSimd } from "../dist/index.js";

const here = new URL(".", import.meta.url);
const player = await readFile(
  process.env.PLAYER ?? new URL("../../assets/champion.safetensors", here),
);
const open = { type: "open", table: "a", rules: { base: "michigan" }, players: 4, seed: "7" };

for (const file of ["newmarket.wasm", "newmarket-simd.wasm"]) {
  const module = await WebAssembly.compile(await readFile(new URL(`../wasm/${file}`, here)));
  const create = () => Engine.create(module, player);

  test(`${file}: asks its host for the time and nothing else`, () => {
    const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
    assert.deepEqual(imports, ["newmarket.now"]);
  });

  test(`${file}: a session is played by the network`, async () => {
    const engine = await create();
    let [table] = engine.send(open);
    assert.deepEqual([table.type, table.deal, table.hand.length], ["table", 1, 11]);
    let decisions = 0;
    while (!table.session_over) {
      if (table.deal_over) {
        assert.equal(table.stacks.reduce((a, b) => a + b) + table.layout.reduce((a, b) => a + b), 0);
        [table] = engine.send({ type: "next", table: "a" });
      } else {
        const { more, replies } = engine.act("a");
        assert.deepEqual([more, replies[0].type, replies[0].seat], [false, "did", table.seat]);
        [table] = engine.send({ type: "state", table: "a" });
        decisions += 1;
      }
    }
    assert.ok(decisions > 50);
    engine.free();
    assert.throws(() => engine.send(open), /freed/);
  });

  test(`${file}: each call has the reply that fits, or throws`, async () => {
    const engine = await create();
    const { type, ...deal } = open;
    let table = engine.open(deal);
    assert.deepEqual(table, engine.send({ type: "state", table: "a" })[0]);
    const answer = await engine.ask({ table: "a", player: "stopper" });
    assert.equal(answer.type, "answer");
    const known = [];
    const analysis = await engine.analyse({ table: "a", budget: { worlds: 20 } }, (now) => known.push(now));
    assert.ok(analysis.final && known.at(-1) === analysis && analysis.actions.length > 0);
    assert.deepEqual(engine.answer("a", answer.do).told.length, 4);
    assert.deepEqual(engine.undo("a"), table);
    while (!table.deal_over) {
      engine.act("a");
      table = engine.state("a");
    }
    assert.equal(engine.request({ type: "record", table: "a" }).schema, "newmarket.trace/1");
    assert.equal(engine.next("a").deal, 2);
    assert.throws(() => engine.state("b"), RefusedError);
    await assert.rejects(engine.ask({ table: "b", player: "stopper" }), RefusedError);
    await assert.rejects(engine.analyse({ table: "b" }), RefusedError);
  });

  test(`${file}: rows answer alike alone and together`, async () => {
    const engine = await create();
    engine.send(open);
    const { seat, row, legal } = engine.observe("a");
    assert.ok(seat >= 0 && row.length === INPUTS && legal.length === ACTIONS);
    const one = engine.forward(row, legal);
    const three = engine.forward(new Float32Array([...row, ...row, ...row]));
    // Without `legal` every action has its logit, else only those that are legal.
    const last = three.logits.slice(2 * ACTIONS);
    assert.ok(last.every(Number.isFinite));
    assert.deepEqual(last.map((logit, nth) => (legal[nth] === 1 ? logit : -Infinity)), one.logits);
    assert.deepEqual([three.value.length, three.action.length], [3, 3]);
    assert.ok(legal[one.action[0]] === 1);
    const sum = one.policy.reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`);
    assert.throws(() => engine.forward(row.subarray(1)), RangeError);
    for (const rows of [Array.from(row), new Float64Array(row)]) {
      assert.throws(() => engine.forward(rows), TypeError);
    }
    assert.throws(() => engine.forward(row, Array.from(legal)), TypeError);
  });

  test(`${file}: an analysis is refined`, async () => {
    const engine = await create();
    engine.send(open);
    const replies = [];
    const budget = { ms: 300 };
    const last = await engine.complete(
      { type: "analyse", id: "1", table: "a", budget, every_ms: 50 },
      (reply) => replies.push(reply),
    );
    assert.ok(last.final && replies.length > 2 && replies[0].worlds < last.worlds);
    // Two that are asked for at once have their own replies.
    const two = await Promise.all(
      ["2", "3"].map((id) => engine.complete({ type: "analyse", id, table: "a", budget: { worlds: 40 } })),
    );
    assert.deepEqual(two.map(({ id, final }) => [id, final]), [["2", true], ["3", true]]);
    await assert.rejects(engine.complete({ type: "state", table: 1n }), TypeError);
    assert.equal((await engine.complete({ type: "state", table: "a" })).type, "table");
  });

  test(`${file}: every reply has the id of its request, and an unknown type is told all that are taken`, async () => {
    const engine = await create();
    const id = "é".repeat(240);
    for (const request of [
      { type: "hello", versions: [1] },
      open,
      { type: "told", table: "a", seat: 0, at: 0 },
      { type: "state", table: "a" },
      { type: "ask", table: "a", player: "stopper" },
      { type: "state", table: "b" },
    ]) {
      assert.deepEqual(engine.send({ ...request, id }).map((reply) => reply.id), [id], request.type);
    }
    const [{ code, message }] = engine.send("\ufeff" + JSON.stringify({ type: "opn" }));
    assert.equal(code, "type");
    for (const type of ["hello", "quit", "open", "state", "answer", "next", "check"]) {
      assert.ok(message.split(/[ ,]+/).includes(type), `${type} is not in: ${message}`);
    }
  });

  test(`${file}: a table of any name is a table`, async () => {
    const engine = await create();
    const deal = { type: "deal", table: "a\u00011", seat: 1, player: "stopper", rules: { base: "newmarket" }, players: 3, dealer: 2 };
    assert.deepEqual(engine.send(deal), []);
    for (const table of ["a", "a\u00012", "", "\0", "\u200c"]) {
      engine.send({ ...open, table });
      const [answer] = engine.send({ type: "ask", id: "1", table, player: "stopper" });
      assert.equal(answer.type, "answer", JSON.stringify(answer));
    }
  });

  test(`${file}: what is refused says why and changes nothing`, async () => {
    await assert.rejects(Engine.create(module, player.subarray(0, 1000)), /cut off/);
    await assert.rejects(Engine.create(module, "champion"), TypeError);
    (await Engine.create(module, Uint8Array.from(player).buffer)).free();
    const engine = await create();
    const [before] = engine.send(open);
    assert.throws(() => engine.observe("b"), (error) => {
      return error instanceof RefusedError && error.reply.code === "table";
    });
    assert.throws(() => engine.act("a", 73), /not legal/);
    assert.throws(() => engine.act("a", 1000), /expected 0 to 73/);
    for (const action of [NaN, 1.5, -2, "1", null, 2 ** 32]) {
      assert.throws(() => engine.act("a", action), RangeError);
    }
    assert.equal(engine.send("{")[0].code, "json");
    assert.deepEqual(engine.send({ type: "state", table: "a" })[0], before);
    engine.send({ type: "quit" });
    assert.throws(() => engine.send(open), /does not take/);
  });
}

/** A function that traps. */
const trap = () => {
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
  new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(module))).exports.f();
};
const deep = () => deep() + 1;

for (const [what, fault] of [["a trap", trap], ["a stack that overflows", deep]]) {
  test(`after ${what} the engine takes no more calls`, async () => {
    const module = await WebAssembly.compile(await readFile(new URL("../wasm/newmarket.wasm", here)));
    const { instantiate } = WebAssembly;
    const [faulty, calls] = [new Set(), []];
    WebAssembly.instantiate = async (...given) => {
      const { exports } = await instantiate(...given);
      const guard = (name, call) => (...values) => {
        calls.push(name);
        return faulty.has(name) ? fault() : call(...values);
      };
      const entries = Object.entries(exports);
      return {
        exports: Object.fromEntries(entries.map(([name, it]) => [name, typeof it === "function" ? guard(name, it) : it])),
      };
    };
    try {
      for (const [name, use] of [
        ["nm_send", (engine) => engine.send(open)],
        ["nm_work", (engine) => engine.work()],
        ["nm_next", (engine) => engine.send(open)],
        ["nm_observe", (engine) => engine.observe("a")],
        ["nm_act", (engine) => engine.act("a")],
        ["nm_forward", (engine) => engine.forward(new Float32Array(INPUTS))],
        ["nm_alloc", (engine) => engine.send(open)],
      ]) {
        faulty.clear();
        const engine = await Engine.create(module, player);
        engine.send(open);
        faulty.add(name);
        assert.throws(() => use(engine), FailedError);
        faulty.clear();
        calls.length = 0;
        for (const call of [
          () => engine.send(open),
          () => engine.send({ type: "quit" }),
          () => engine.work(),
          () => engine.observe("a"),
          () => engine.act("a", NaN),
          () => engine.forward([]),
        ]) {
          assert.throws(call, FailedError);
        }
        await assert.rejects(engine.complete(open), FailedError);
        engine.free();
        assert.throws(() => engine.send(open), FailedError);
        assert.deepEqual(calls, [], `${name}: the module is left alone`);
      }
      faulty.add("nm_new");
      await assert.rejects(Engine.create(module, player), FailedError);
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  });
}

test("Node has simd", () => assert.ok(hasSimd()));
