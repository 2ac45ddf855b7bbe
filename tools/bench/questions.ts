// Questions to a language model as files, for where no API can be reached: whoever answers sees only a question's text,
// and writes one JSON object into KEY.reply next to KEY.txt. `tools/record_replies.ts` takes them into a recording.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes one question below its key; one that is there already stays. */
export function writeQuestion(
  folder: string,
  key: string,
  { texts, schema }: { readonly texts: readonly string[]; readonly schema: unknown },
): void {
  const path = join(folder, `${key}.txt`);
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  const form = `Answer with one JSON object of this schema:\n${JSON.stringify(schema)}`;
  writeFileSync(path, [...texts, form].join("\n\n---\n\n") + "\n");
}

/** The keys of the questions in a folder, each with the text of its reply; undefined: there is none yet. */
export function repliesTo(folder: string): Map<string, string | undefined> {
  const keys = readdirSync(folder).sort().filter((name) => name.endsWith(".txt"))
    .map((name) => name.slice(0, -".txt".length));
  return new Map(keys.map((key) => {
    const path = join(folder, `${key}.reply`);
    return [key, existsSync(path) ? readFileSync(path, "utf8") : undefined];
  }));
}
