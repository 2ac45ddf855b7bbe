// How many ordinary lines redaction touches: `deno run -A tools/redaction.ts [--show] [FOLDER…]`. Without a folder it
// reads the packages that memo is built with and the bench's suites: text and code that developers wrote for others.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { redactAll } from "../src/core/redact/redact.ts";

const KINDS = /\.(?:md|m?js|ts|jsonl?|ya?ml|sh|txt|html)$/;
const FOLDERS = ["node_modules", "bench/suites"];
/** Larger files are data, and minified code has no lines. */
const MAX_BYTES = 256 * 1024, MAX_LINE = 2000;
/** Lines are read together, as in a file. */
const BATCH = 400;

const folders = Deno.args.filter((arg) => !arg.startsWith("--"));
const kinds = new Map<string, number>();
let [lines, touched] = [0, 0];

for (const folder of folders.length > 0 ? folders : FOLDERS) {
  const seen = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!KINDS.test(name) || !stats?.isFile() || stats.size > MAX_BYTES) continue;
    const fresh = readFileSync(path, "utf8").split("\n").filter((line) =>
      line.trim() !== "" && line.length <= MAX_LINE && !seen.has(line) && seen.add(line)
    );
    for (let at = 0; at < fresh.length; at += BATCH) await measure(fresh.slice(at, at + BATCH));
  }
}
console.log(`${touched} of ${lines} lines: ${(100 * touched / Math.max(1, lines)).toFixed(3)} %`);
console.log([...kinds].toSorted((a, b) => b[1] - a[1]).map(([k, n]) => `${k} ${n}`).join(", "));

async function measure(batch: readonly string[]): Promise<void> {
  const [redacted] = await redactAll([batch.join("\n")]);
  const left = redacted!.text.split("\n");
  const [before, after] = [new Set(batch), new Set(left)];
  lines += batch.length;
  touched += batch.filter((line) => !after.has(line)).length;
  for (const [kind, times] of Object.entries(redacted!.found)) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + times);
  }
  if (!Deno.args.includes("--show")) return;
  for (const line of left.filter((line) => !before.has(line))) {
    const at = line.indexOf("[redacted:");
    console.log(`    ${line.slice(Math.max(0, at - 100), at + 100).trim()}`);
  }
}
