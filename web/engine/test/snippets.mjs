// Compiles the JavaScript of documents as strict TypeScript: node test/snippets.mjs DOCUMENT...
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// Within the package, so that its name leads to it.
const folder = `${root}/snippets`;
const options = ["--ignoreConfig", "--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext", "--types", "node"];
// What code that imports nothing takes for granted.
const imports = ['import { readFile } from "node:fs/promises";', 'import { Engine } from "newmarket-engine";'];

const documents = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
try {
  const files = documents.flatMap((document, nth) =>
    readFileSync(document, "utf8").split("\n```js\n").slice(1).map((rest, number) => {
      const code = rest.slice(0, rest.indexOf("\n```"));
      const missing = code.startsWith("import ") ? [] : imports;
      const file = `${folder}/${nth}-${basename(document, ".md")}-${number}.ts`;
      writeFileSync(file, [...missing, code, "export {};", ""].join("\n"));
      return file;
    }),
  );
  if (files.length < documents.length) throw new Error("a document has no code in JavaScript");
  // What Vite makes of such an import.
  writeFileSync(`${folder}/vite.d.ts`, 'declare module "*?url" {\n  const url: string;\n  export default url;\n}\n');
  execFileSync(`${root}/node_modules/.bin/tsc`, [...options, `${folder}/vite.d.ts`, ...files], { stdio: "inherit" });
  console.log(`${files.length} snippets of ${documents.length} documents compile`);
} catch (error) {
  if (error.status === undefined) throw error;
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
