// Puts the questions of an experiment to whoever answers, one at a time, where each may depend on the replies before:
//
//   deno run -A tools/next_question.ts FOLDER RECORDING "what answers" LAB-ARGUMENTS...
//
// Prints the next question without a reply, and where its reply belongs; called again, it records the reply and prints
// the next. When no question is left, the experiment is run for more: `lab LAB-ARGUMENTS --replies RECORDING --questions
// FOLDER`. Whoever answers needs nothing but this command, and must look at nothing else.

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Asked, askedIn } from "../bench/question_files.ts";
import { linesFor } from "./bench/recorded_lines.ts";
import { readReplies } from "../bench/recording.ts";
import { readJsonLines } from "../bench/suite.ts";

const LAB = fileURLToPath(new URL("lab.ts", import.meta.url));

const [folder, recording, model, ...lab] = process.argv.slice(2);
if (folder === undefined || recording === undefined || model === undefined || lab.length === 0) {
  console.error('Usage: next_question.ts FOLDER RECORDING "what answers" LAB-ARGUMENTS...');
  process.exit(2);
}
const questions = resolve(folder), replies = resolve(recording);

record();
let next = open()[0];
if (next === undefined) {
  const args = ["run", "-A", "--cached-only", LAB, ...lab];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...args, "--replies", replies, "--questions", questions],
    { encoding: "utf8" },
  );
  next = open()[0];
  if (next === undefined) console.log(`No question is left.\n\n${stdout}${stderr}`);
}
if (next !== undefined) {
  const path = join(questions, next.file);
  console.log(
    `${readFileSync(`${path}.txt`, "utf8")}\n---\n\n(${readReplies(replies).size} answered. ` +
      `Write the JSON object, and nothing more, into ${path}.reply, then run this command again.)`,
  );
}

function open(): Asked[] {
  return askedIn(questions).filter(({ reply }) => reply === undefined).map(({ asked }) => asked);
}

/** Records new replies; one that cannot be read is deleted, so that its question is put again. */
function record(): void {
  const known = readReplies(replies);
  const before = existsSync(replies) ? readJsonLines<object>(replies) : [];
  for (const { asked, reply } of askedIn(questions)) {
    if (reply === undefined || known.has(asked.key)) continue;
    const { lines, faults } = linesFor([{ asked, reply }], {
      ...{ model: model!, at: new Date().toISOString(), before },
    });
    appendFileSync(replies, lines.map((line) => JSON.stringify(line) + "\n").join(""));
    for (const fault of faults) console.log(`The last reply was not recorded: ${fault}\n`);
    if (faults.length > 0) rmSync(join(questions, `${asked.file}.reply`));
  }
}
