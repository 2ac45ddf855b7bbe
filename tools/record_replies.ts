// Appends the replies to questions that were written to files to a recording:
//
//   deno run -A tools/record_replies.ts FOLDER RECORDING "what answered"
//
// FOLDER is what `deno task lab … --questions FOLDER` wrote, with KEY.reply next to each KEY.txt.

import { appendFileSync } from "node:fs";
import { repliesTo } from "./bench/questions.ts";
import { readReplies, recorded } from "./bench/recording.ts";

const [folder, recording, model] = process.argv.slice(2);
if (folder === undefined || recording === undefined || model === undefined) {
  console.error('Usage: record_replies.ts FOLDER RECORDING "what answered"');
  process.exit(2);
}

const known = readReplies(recording), at = new Date().toISOString();
for (const [key, text] of repliesTo(folder)) {
  if (known.has(key)) continue;
  const line = text === undefined ? undefined : recorded({ key, text, model, at });
  if (line !== undefined) appendFileSync(recording, JSON.stringify(line) + "\n");
  else console.error(`${key}: ${text === undefined ? "no reply" : "not a JSON object"}`);
}
