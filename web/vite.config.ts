import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  // The page may live in any folder of a static host.
  base: "./",
  build: { target: "es2023", modulePreload: { polyfill: false } },
  worker: { format: "es" },
});
