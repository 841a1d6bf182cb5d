/** The built page, served by `newmarket web`. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const WEB = join(import.meta.dirname, "../..");
/** The program of this clone. */
const PROGRAM = process.env.NEWMARKET ?? join(WEB, "../target/release/newmarket");

/** Starts the program on a free port; its address, and how it is stopped. */
export async function served(...args: string[]): Promise<{ url: string; stop: () => void }> {
  const server = spawn(PROGRAM, ["web", "--port", "0", "--dist", join(WEB, "dist"), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    server.on("exit", (code) => reject(new Error(`newmarket web ended with ${code}`)));
    createInterface(server.stdout).on("line", (line) => {
      const found = /http:\/\/\S+\//.exec(line);
      if (found) resolve(found[0]);
    });
  });
  const stop = () => {
    server.removeAllListeners("exit");
    server.kill();
  };
  return { url, stop };
}
