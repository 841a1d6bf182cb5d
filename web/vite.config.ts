import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { PUBLIC_PAGE } from "./vite/address.ts";
import { site } from "./vite/site.ts";

export default defineConfig({
  plugins: [svelte(), site()],
  // The page may live in any folder of a static host.
  base: "./",
  define: { PUBLIC_PAGE: JSON.stringify(PUBLIC_PAGE) },
  // Nothing is put into scripts as a data URL: the policy and the sizes are about files.
  // `web/build` makes the notices out of the list of packages.
  build: { target: "es2023", modulePreload: { polyfill: false }, assetsInlineLimit: 0, license: { fileName: "packages.json" } },
  worker: { format: "es" },
  test: { include: ["src/**/*.test.ts", "test/unit/**/*.test.ts"], maxWorkers: 2, testTimeout: 30_000, expect: { poll: { timeout: 5_000 } } },
});
