// The replies of a language model to the questions of a dream about the planted memories, by the question's hash. Run
// as a program, it writes the questions that have no reply yet to a folder: `deno run -A recorded.ts FOLDER`.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { planDream } from "../../../src/features/upkeep/dream/dream.ts";
import type { Question } from "../../../strategies/strategy.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { plant } from "./planted.ts";

const FILE = fileURLToPath(new URL("../../fixtures/dream/replies.json", import.meta.url));

/** When the recorded dream happens. */
export const RECORDED_AT = new Date("2026-11-21T12:00:00Z");

/** Every recorded reply, by `keyOf` its question. */
export function recordedReplies(): ReadonlyMap<string, unknown> {
  return new Map(existsSync(FILE) ? Object.entries(JSON.parse(readFileSync(FILE, "utf8"))) : []);
}

/** The identity of a question: other words may have another answer. */
export function keyOf({ system, prompt }: Question): string {
  return createHash("sha256").update(`${system}\n${prompt}`).digest("hex").slice(0, 16);
}

/** The questions of a dream about the planted memories. */
export async function plantedQuestions(): Promise<Question[]> {
  using temp = temporaryFolder();
  const path = join(temp.path, "memory");
  plant(path);
  const questions: Question[] = [];
  await planDream({ scope: "user", path }, {
    ...{ paths: { dreams: join(temp.path, "dreams") }, now: RECORDED_AT, patterns: [] },
    ask: (question) => {
      questions.push(question);
      return Promise.resolve({ operations: [] });
    },
  });
  return questions;
}

if (import.meta.main) {
  const [folder = "questions"] = Deno.args;
  mkdirSync(folder, { recursive: true });
  const known = recordedReplies();
  for (const [i, question] of (await plantedQuestions()).entries()) {
    if (known.has(keyOf(question))) continue;
    const { system, prompt, schema } = question;
    const text = `${system}\n\nAnswer with JSON by this schema, and nothing else:\n${
      JSON.stringify(schema)
    }\n\n${prompt}\n`;
    const name = `${String(i + 1).padStart(3, "0")}-${keyOf(question)}.txt`;
    writeFileSync(join(folder, name), text);
  }
}
