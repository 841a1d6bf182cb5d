import { defineConfig } from "vitest/config";

/** The built page in a browser: `web/build` first. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.e2e.ts"],
    globalSetup: ["setup.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 30_000,
    reporters: ["verbose"],
  },
});
