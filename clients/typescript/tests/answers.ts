/**
 * Read answers without loss, and write them as values of their types, for the compiler: `node answers.js FILE OUT`. Each
 * line of the file has the `type` of an answer and its `text`.
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { parse } from "../src/call.js";
import { DECIMALS } from "../src/models.js";

/** What was read, with exact numbers as numbers, as `JSON.parse` reads them. */
function rounded(this: void, read: unknown, written: unknown, key = ""): unknown {
  if (typeof read === "string" && typeof written === "number") {
    assert.ok(DECIMALS.has(key));
    return Number(read);
  }
  if (typeof read !== "object" || read === null) return read;
  const inner = Object.entries(read).map(([name, value]) => [name, rounded(value, Reflect.get(written as object, name), name)]);
  return Array.isArray(read) ? inner.map(([, value]) => value) : Object.fromEntries(inner);
}

const [source = "", out = ""] = process.argv.slice(2);
const answers = (await readFile(source, "utf8")).trim().split("\n").map((line) => JSON.parse(line) as { type: string; text: string });
const lines = answers.map(({ type, text }, index) => {
  const read = parse(text);
  const written: unknown = JSON.parse(text);
  assert.deepEqual(rounded(read, written), written);
  return `export const a${index}: client.${type} = ${JSON.stringify(read)};`;
});
await writeFile(out, `import type * as client from "../../src/models.js";\n\n${lines.join("\n")}\n`);
console.log(`the TypeScript client reads ${lines.length} answers without loss`);
