// How many ordinary lines redaction touches: `deno run -A tools/redaction.ts [FOLDER…]`. Without a folder it reads the
// packages that memo is built with and the bench's suites: text and code that developers wrote for others to read.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { redactAll } from "../src/redact/redact.ts";

const KINDS = [
  ".md",
  ".ts",
  ".js",
  ".mjs",
  ".json",
  ".jsonl",
  ".yml",
  ".yaml",
  ".sh",
  ".txt",
  ".html",
];
const FOLDERS = ["node_modules", "bench/suites"];
/** Larger files are data, and minified code has no lines. */
const MAX_BYTES = 256 * 1024;
const MAX_LINE = 2000;
const BATCH = 400;

interface Count {
  lines: number;
  touched: number;
  examples: string[];
}

const folders = Deno.args.filter((arg) => !arg.startsWith("--"));
const showsLines = Deno.args.includes("--show");
const counts = new Map<string, Count>();
const kinds = new Map<string, number>();
const started = performance.now();
let bytes = 0;

for (const folder of folders.length > 0 ? folders : FOLDERS) {
  const seen = new Set<string>();
  for (const path of filesBelow(folder)) {
    const lines = readFileSync(path, "utf8").split("\n").filter((line) =>
      line.trim() !== "" && line.length <= MAX_LINE && !seen.has(line) && seen.add(line)
    );
    const group = `${folder} ${extname(path)}`;
    const count = counts.get(group) ?? { lines: 0, touched: 0, examples: [] };
    counts.set(group, count);
    for (let at = 0; at < lines.length; at += BATCH) {
      await measure(lines.slice(at, at + BATCH), count);
    }
  }
}

const total = { lines: 0, touched: 0 };
for (const [group, { lines, touched, examples }] of counts) {
  total.lines += lines;
  total.touched += touched;
  console.log(`${group.padEnd(24)} ${row(lines, touched)}`);
  if (showsLines) { for (const example of examples) console.log(`    ${example}`); }
}
console.log(`${"in all".padEnd(24)} ${row(total.lines, total.touched)}`);
console.log([...kinds].toSorted((a, b) => b[1] - a[1]).map(([k, n]) => `${k} ${n}`).join(", "));
const seconds = (performance.now() - started) / 1000;
console.log(`${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(0)} s`);

/** Lines are read together, as in a file; each is counted once. */
async function measure(lines: readonly string[], count: Count): Promise<void> {
  const [redacted] = await redactAll([lines.join("\n")]);
  bytes += lines.join("\n").length;
  const left = redacted!.text.split("\n");
  const [before, after] = [new Set(lines), new Set(left)];
  count.lines += lines.length;
  count.touched += lines.filter((line) => !after.has(line)).length;
  count.examples.push(...left.filter((line) => !before.has(line)).map(shown));
  for (const [kind, times] of Object.entries(redacted!.found)) {
    kinds.set(kind, (kinds.get(kind) ?? 0) + times);
  }
}

/** A line around what was taken out of it. */
function shown(line: string): string {
  const at = line.indexOf("[redacted:");
  return line.slice(Math.max(0, at - 100), at + 100).trim();
}

function row(lines: number, touched: number): string {
  const share = (100 * touched / Math.max(1, lines)).toFixed(3);
  return `${String(lines).padStart(9)} lines ${String(touched).padStart(6)} touched ${
    share.padStart(7)
  } %`;
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && KINDS.includes(extname(path)) && statSync(path).size <= MAX_BYTES) {
      yield path;
    }
  }
}
