// Appends the replies to questions that were written to files to a recording:
//
//   deno run -A tools/record_replies.ts FOLDER RECORDING "what answered"
//
// FOLDER is what `deno task lab … --questions FOLDER` wrote, with NNN.reply beside each NNN.txt.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ASKED_FILE } from "../bench/question_files.ts";
import { type Answered, linesFor } from "./bench/recorded_lines.ts";
import { readJsonLines } from "../bench/suite.ts";
import type { Asked } from "../bench/question_files.ts";

const [folder, recording, model] = process.argv.slice(2);
if (folder === undefined || recording === undefined || model === undefined) {
  console.error('Usage: record_replies.ts FOLDER RECORDING "what answered"');
  process.exit(2);
}

const answered: Answered[] = [], missing: string[] = [];
for (const asked of readJsonLines<Asked>(join(folder, ASKED_FILE))) {
  const path = join(folder, `${asked.file}.reply`);
  if (existsSync(path)) answered.push({ asked, reply: readFileSync(path, "utf8") });
  else missing.push(asked.file);
}
const before = existsSync(recording) ? readJsonLines<object>(recording) : [];
const { lines, faults } = linesFor(answered, { model, at: new Date().toISOString(), before });
appendFileSync(recording, lines.map((line) => JSON.stringify(line) + "\n").join(""));
for (const fault of faults) console.error(fault);
console.error(
  `${answered.length} replies, ${lines.length} lines, ${missing.length} without a reply`,
);
