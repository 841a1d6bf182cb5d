import { expect, test, vi } from "vitest";

import { parts } from "../../src/parts/parts.svelte";

test("parts come one by one, each after a frame and in a task of its own", async () => {
  const seen: string[] = [];
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) =>
    setTimeout(() => {
      seen.push("frame");
      draw();
      setImmediate(() => seen.push("drawn"));
    }),
  );
  expect(parts.whole).toBe(true);
  for (const name of ["felt", "log"]) parts.add(() => seen.push(`${name}, whole: ${parts.whole}`));
  expect([seen, parts.whole]).toEqual([[], false]);
  await vi.waitUntil(() => parts.whole);
  const part = (name: string) => ["frame", "drawn", `${name}, whole: false`];
  expect(seen).toEqual([...part("felt"), ...part("log")]);
});
