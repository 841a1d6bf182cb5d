/** Serves the built page by `newmarket web` while the tests run. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

const WEB = join(import.meta.dirname, "../..");
/** The program of this clone. */
const PROGRAM = process.env.NEWMARKET ?? join(WEB, "../target/release/newmarket");

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const server = spawn(PROGRAM, ["web", "--port", "0", "--dist", join(WEB, "dist")], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    server.on("exit", (code) => reject(new Error(`newmarket web ended with ${code}`)));
    createInterface(server.stdout).on("line", (line) => {
      const found = /http:\/\/\S+\//.exec(line);
      if (found) resolve(found[0]);
    });
  });
  provide("url", url);
  return () => {
    server.removeAllListeners("exit");
    server.kill();
  };
}
