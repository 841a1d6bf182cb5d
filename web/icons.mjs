// Draws the PNG icons from public/icon.svg: `node icons.mjs`, once after the drawing has changed.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const svg = readFileSync("public/icon.svg", "utf8");
// Systems cut a maskable icon to a shape of their own: the ground goes to the edge, the drawing is smaller.
const maskable = svg
  .replace('rx="108"', "")
  .replace("translate(256 262)", "translate(256 260) scale(.78)");
const icons = [
  ["icon-192.png", svg, 192],
  ["icon-512.png", svg, 512],
  ["icon-maskable.png", maskable, 512],
];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [name, drawing, size] of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`);
  writeFileSync(`public/${name}`, await page.screenshot({ omitBackground: true }));
}
await browser.close();
