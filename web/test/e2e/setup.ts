/** Serves the built page by `newmarket web` while the tests run. */

import type { TestProject } from "vitest/node";

import { served } from "./served";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const { url, stop } = await served();
  provide("url", url);
  return stop;
}
