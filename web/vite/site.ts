/** What makes a bundle a site: its head, and the service worker with the list of its files. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HtmlTagDescriptor, Plugin, ResolvedConfig } from "vite";

import { POLICY } from "./policy.ts";

/** Files that are never asked for by a page that is offline. */
const NOT_KEPT = /^(sw\.js|packages\.json|third-party\.txt|icon-.*\.png|.*\.gz|.*\.map)$/;

/** Writes the head's links, and in a build the policy: the server for development injects styles. */
function head(build: boolean): HtmlTagDescriptor[] {
  const link = (attrs: Record<string, string>): HtmlTagDescriptor => ({ tag: "link", attrs, injectTo: "head" });
  const policy: HtmlTagDescriptor = {
    tag: "meta",
    attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
    injectTo: "head-prepend",
  };
  return [
    ...(build ? [policy] : []),
    link({ rel: "manifest", href: "./manifest.webmanifest" }),
    link({ rel: "icon", href: "./icon.svg", type: "image/svg+xml" }),
    link({ rel: "apple-touch-icon", href: "./icon-192.png" }),
  ];
}

/** The files of a folder, with the digest of each. */
function digests(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
    .filter((name) => !NOT_KEPT.test(name))
    .sort()
    .map((name) => [name, createHash("sha256").update(readFileSync(join(folder, name))).digest("hex")]);
}

export function site(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "newmarket-site",
    configResolved(resolved) {
      config = resolved;
    },
    transformIndexHtml: () => head(config.command === "build"),
    closeBundle() {
      if (config.command !== "build") return;
      const out = resolve(config.root, config.build.outDir);
      const files = digests(out);
      const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
      const worker = readFileSync(join(config.root, "src/offline/sw.js"), "utf8");
      const made = worker
        .replace('"VERSION"', JSON.stringify(version))
        .replace('"FILES"', JSON.stringify(files));
      writeFileSync(join(out, "sw.js"), made);
    },
  };
}
