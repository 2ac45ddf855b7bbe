// Appends the replies to questions that were written to files to a recording:
//
//   deno run -A tools/record_replies.ts FOLDER RECORDING "what answered"
//
// FOLDER is what `deno task lab … --questions FOLDER` wrote, with NNN.reply beside each NNN.txt.

import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { ASKED_FILE, askedIn } from "../bench/question_files.ts";
import { type Answered, linesFor } from "./bench/recorded_lines.ts";
import { readJsonLines } from "../bench/suite.ts";

const [folder, recording, model] = process.argv.slice(2);
if (folder === undefined || recording === undefined || model === undefined) {
  console.error('Usage: record_replies.ts FOLDER RECORDING "what answered"');
  process.exit(2);
}

if (!existsSync(join(folder, ASKED_FILE))) throw new Error(`There are no questions in ${folder}`);

const answered: Answered[] = [], missing: string[] = [];
for (const { asked, reply } of askedIn(folder)) {
  if (reply !== undefined) answered.push({ asked, reply });
  else missing.push(asked.file);
}
const before = existsSync(recording) ? readJsonLines<object>(recording) : [];
const { lines, faults } = linesFor(answered, { model, at: new Date().toISOString(), before });
appendFileSync(recording, lines.map((line) => JSON.stringify(line) + "\n").join(""));
for (const fault of faults) console.error(fault);
console.error(
  `${answered.length} replies, ${lines.length} lines, ${missing.length} without a reply`,
);
