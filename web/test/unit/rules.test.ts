/** House rules: values by key, cells as text, rules files. */

import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { NAMES, gameRules, type Cell, type House } from "../../src/game/rules";
import { card, cards, cellOf, cellText } from "../../src/rules/cells";
import { fieldOf, FIELDS } from "../../src/rules/fields";
import { QUESTIONS, answerOf, answered, answersOf, otherSide } from "../../src/rules/questions";
import { baseValue, changed, differs, rebased, same, valueOf } from "../../src/rules/house";
import { fromToml, toToml } from "../../src/rules/toml";
import { client } from "./engine";

const MARRIAGE = readFileSync(new URL("../../../env/tests/rules/marriage.toml", import.meta.url), "utf8");

describe("fields", () => {
  test("there is one for every key of the rules file, as the rule book lists them", () => {
    const book = readFileSync(new URL("../../../docs/RULES.md", import.meta.url), "utf8");
    const section = book.slice(book.indexOf("## 12. The rules file"));
    const keys = [...section.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, key]) => key);
    // The name and the base have places of their own, and `claim_when` is spelled out as stages.
    const others = ["base", "name", "claim_when"];
    expect(keys.filter((key) => !others.includes(key ?? "")).sort()).toEqual(FIELDS.map(({ key }) => key).sort());
  });

  test("each named game's values are values of the form", () => {
    for (const base of NAMES) {
      for (const { key, kind } of FIELDS) {
        const value = valueOf({ base }, key);
        if (kind.kind === "options") expect(kind.options.some(([option]) => same(option, value)), `${base} ${key}`).toBe(true);
      }
    }
  });

  test("a fault finds its field by the key or by what it begins with", () => {
    expect(fieldOf("session.bankroll")?.key).toBe("session.bankroll");
    expect(fieldOf("layout_ante.free.chips")?.key).toBe("layout_ante");
    expect(fieldOf("cells[2]")?.key).toBe("cells");
    expect(fieldOf("dead_hand.position")?.key).toBe("dead_hand.position");
    expect(fieldOf("per_card_more")).toBeUndefined();
    expect(fieldOf("")).toBeUndefined();
  });
});

describe("a house", () => {
  const house: House = { base: "michigan", name: "ours" };

  test("says what differs from its base, and nothing else", () => {
    const one = changed(house, "per_card", 2);
    expect(one).toEqual({ ...house, per_card: 2 });
    expect(differs(one, "per_card")).toBe(true);
    expect(changed(one, "per_card", 1)).toEqual(house);
    const dead = changed(house, "dead_hand.position", "first");
    expect(dead).toEqual({ ...house, dead_hand: { position: "first" } });
    expect(changed(changed(dead, "session.deals", 3), "dead_hand.position", "last")).toEqual({ ...house, session: { deals: 3 } });
    expect(changed(changed(house, "cell_cap", 5), "cell_cap", undefined)).toEqual(house);
  });

  test("has a pot if and only if poker is played", () => {
    const poker = changed(house, "stages", ["poker"]);
    expect(poker.cells).toEqual(["AH", "KC", "QD", "JS", { name: "pot", claimed_by: [] }]);
    expect(changed(poker, "stages", [])).toEqual(house);
    const none = changed({ base: "three-in-one", claim_when: "played" }, "stages", ["collect"]);
    expect(none).not.toHaveProperty("claim_when");
    expect((valueOf(none, "cells") as Cell[]).map((cell) => cellText(cell, []).name)).not.toContain("pot");
  });

  test("takes what differs along to another base", () => {
    const moved = rebased(changed(changed(house, "per_card", 0), "session.deals", 3), "newmarket-2011");
    // There, nothing is paid for cards anyway.
    expect(moved).toEqual({ base: "newmarket-2011", name: "ours", session: { deals: 3 } });
  });

  test("any value may be set and taken back in any game", () => {
    for (const base of NAMES) {
      for (const { key } of FIELDS) {
        const other = { base: "three-in-one" === base ? "bazaar-1875" : "three-in-one" };
        const set = changed({ base }, key, baseValue(other, key));
        const value = valueOf(other, key);
        expect(same(valueOf(set, key), value), `${base} ${key}`).toBe(true);
        if (key !== "stages") expect(changed(set, key, baseValue({ base }, key))).toEqual({ base });
      }
    }
  });

  test("shows the values that the engine tells where it says nothing itself", async () => {
    const short: House = { base: "three-in-one", claim_when: "played" };
    const { rules } = await client().judge(short);
    expect(valueOf(short, "stages", rules)).toEqual(["poker"]);
    expect([differs(short, "stages", rules), differs(short, "stages")]).toEqual([true, false]);
  });
});

describe("questions", () => {
  test("each answer that a game offers is a rule that can be played, and is the answer that the house then gives", { timeout: 60_000 }, async () => {
    const engine = client();
    for (const base of NAMES) {
      for (const question of QUESTIONS) {
        const own = answerOf(question, { base }, null);
        const labels = answersOf(question, { base }).map(([label]) => label);
        expect(labels, `${base} ${question.id}`).toContain(own);
        expect(new Set(labels).size).toBe(labels.length);
        for (const label of labels) {
          const house = answered(question, { base, name: "ours" }, label);
          const { faults } = await engine.judge(house);
          expect(faults, `${base} ${question.id}: ${label}`).toEqual([]);
          expect(answerOf(question, house, null)).toBe(label);
          // The game's own answer changes nothing.
          if (label === own) expect(house).toEqual({ base, name: "ours" });
        }
      }
    }
  });

  test("a game whose stakes are none of the usual ones offers its own", () => {
    const [stakes] = QUESTIONS;
    expect(answersOf(stakes!, { base: "michigan" })[0]?.[0]).toBe("as in Michigan");
    expect(answerOf(stakes!, { base: "michigan" }, null)).toBe("as in Michigan");
    expect(answersOf(stakes!, { base: "newmarket" })[0]?.[0]).toBe("1 on each boodle");
  });

  test("values of the wrong kind do no harm to the questions", () => {
    for (const wrong of [5, "x", null, [], {}]) {
      const house: House = { base: "michigan", stages: wrong, layout_ante: wrong, dead_hand: wrong, exchange: wrong };
      for (const question of QUESTIONS) {
        for (const [label] of answersOf(question, house)) expect(() => answered(question, house, label)).not.toThrow();
      }
    }
  });

  test("one side of a pair asks about the other, beside the field that was changed", () => {
    const house: House = { base: "newmarket-2011", kitty_ante: 0, kitty_to_winner: false };
    expect(otherSide(house, null, "kitty_ante", 1)).toMatchObject({ at: "kitty_ante", key: "kitty_to_winner", value: true });
    const free = (chips: number, dealer_chips: number) => ({ free: { chips, dealer_chips } });
    expect(otherSide({ base: "newmarket" }, null, "layout_ante", free(6, 4))).toMatchObject({ at: "layout_ante", key: "layout_ante", value: free(6, 6) });
    expect(otherSide({ base: "newmarket" }, null, "layout_ante", free(6, 6))).toBe(null);
    expect(otherSide({ base: "newmarket" }, null, "per_card", 2)).toBe(null);
  });
});

describe("cells as text", () => {
  test("all forms there and back", () => {
    const cells: Cell[] = [
      "QC",
      { card: "KS", claimed_by: "QS" },
      { name: "BONUS", claimed_by: "9D" },
      { name: "KQ", claimed_by: ["KH", "QH"] },
      { name: "LOW", claimed_by: [["2C", "3C"], ["2D", "3D"]] },
      { name: "pot", claimed_by: [] },
    ];
    expect(cells.map((cell) => cellOf(cellText(cell, [])))).toEqual(cells);
    for (const base of NAMES) {
      const { cells } = gameRules(base);
      expect(cells.map((cell) => cellOf(cellText(cell, cells)))).toEqual(cells);
    }
  });

  test("a name alone is the cell of the base", () => {
    const { cells } = gameRules("three-in-one");
    expect(cellText("KQ", cells)).toEqual({ name: "KQ", claimed: "QH KH" });
  });

  test("is read as people write", () => {
    expect(card(" 10h ")).toBe("TH");
    expect(card("1H")).toBeNull();
    expect(cards("8d, kc  10S x")).toEqual(["8D", "KC", "TS", "x"]);
    expect(cellOf({ name: "qc", claimed: "" })).toBe("QC");
    expect(cellOf({ name: "qc", claimed: "qc" })).toBe("QC");
    expect(cellOf({ name: "run", claimed: "8c 9c, 8d 9d" })).toEqual({ name: "run", claimed_by: [["8C", "9C"], ["8D", "9D"]] });
  });
});

describe("rules files", () => {
  test("there and back", () => {
    const house = fromToml(MARRIAGE) as House;
    expect(house).toMatchObject({ base: "newmarket", name: "marriage", players: [2, 7] });
    expect(fromToml(toToml(house))).toEqual(house);
    expect(fromToml(`\uFEFF${MARRIAGE}`)).toEqual(house);
    const name = "a\u200Cb\u202E\u2028\u0085\u007F\u0000\"'\\\n\uFEFF";
    expect(fromToml(toToml({ ...house, name }))).toEqual({ ...house, name });
    for (const base of NAMES) {
      const all = { ...gameRules(base), base, name: "whole" };
      expect(fromToml(toToml(all as unknown as House))).toEqual(all);
    }
  });

  test("what is none is refused in words", () => {
    expect(fromToml("base = ")).toMatch(/^Line 1, column \d+: /);
    expect(fromToml('name = "x"')).toMatch(/"base" is missing/);
    expect(fromToml('base = "michigan"\nname = 3')).toMatch(/"name" is a text/);
    expect(fromToml(`base = "${"x".repeat(70_000)}"`)).toMatch(/at most/);
  });

  test("values that no key takes are handed to the engine as text", () => {
    expect(fromToml('base = "michigan"\nper_card = 2020-01-01')).toEqual({ base: "michigan", per_card: "2020-01-01" });
  });

  test("values of the wrong kind do no harm to the form", () => {
    const wrong = ["5", '"x"', "[]", "{}", "true", "[[1]]", "{ x = { y = 1 } }"];
    for (const { key } of FIELDS) {
      for (const value of wrong) {
        const house = fromToml(`base = "three-in-one"\n${key} = ${value}`) as House;
        for (const other of FIELDS) expect(() => [valueOf(house, other.key), changed(house, other.key, 1)]).not.toThrow();
        expect(() => [rebased(house, "michigan"), toToml(house)]).not.toThrow();
      }
    }
  });
});

test("the rules of the named games stay as they are", () => {
  const before = JSON.stringify(NAMES.map(gameRules));
  const house = { base: "michigan", exchange: { dealer_exchange_or_auction: {} }, stages: ["collect", "poker"] };
  for (const base of NAMES) for (const { key } of FIELDS) changed(rebased(house, base), key, baseValue({ base }, key));
  expect(JSON.stringify(NAMES.map(gameRules))).toBe(before);
});
