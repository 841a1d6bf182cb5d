/** Serves the built page while the tests run. */

import { join } from "node:path";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";

import { serve } from "./server";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const server = await serve(join(import.meta.dirname, "../../dist"));
  provide("url", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return () => server.close();
}
