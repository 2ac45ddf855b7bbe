// Whether `memo hook` gives the later of two memories first: a suite's documents as dated files, its questions as prompts to
// the executable, each in a session of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSuite } from "../../bench/loaders/mod.ts";
import { type Sandbox, withSandbox } from "../../bench/sandbox.ts";
import { memoryOf, timeOf } from "../../bench/store.ts";
import type { Suite } from "../../bench/suite.ts";
import { serializeMemory } from "../../src/core/memory/file.ts";
import { run } from "../../test/support/run.ts";
import { MEMO } from "./executable.ts";

export interface CurrentOptions {
  readonly suite: string;
}

/** Prints whether prompts got the older or the later of two memories first. */
export async function runCurrent(options: CurrentOptions): Promise<void> {
  const { suite } = openSuite(options.suite);
  const queries = suite.queries.filter(({ id }) =>
    [...suite.qrels.get(id)?.values() ?? []].some((grade) => grade < 0)
  );
  const scopes = new Set(queries.map(({ scope }) => scope));
  const documents = suite.documents.filter(({ scope }) => scopes.has(scope));
  await withSandbox(async (sandbox) => {
    const names = write(documents, join(sandbox.home.env["CLAUDE_CONFIG_DIR"]!, "memory"));
    await memo(["index"], sandbox);
    await memo(["daemon", "start"], sandbox);
    const counts = { "later first": 0, "older first or only": 0, neither: 0 };
    for (const { id, text } of queries) {
      const block = await ask(text, id, sandbox);
      const [first] = [...suite.qrels.get(id)!].map(([document, grade]) => ({
        grade,
        at: block.indexOf(names.get(document)!),
      })).filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
      const outcome = first === undefined
        ? "neither"
        : first.grade > 0
        ? "later first"
        : "older first or only";
      counts[outcome]++;
    }
    const all = queries.length;
    console.log(`${documents.length} memories, ${all} prompts with a replaced one`);
    for (const [outcome, count] of Object.entries(counts)) {
      console.log(`${outcome}: ${count} (${(count / all).toFixed(3)})`);
    }
  });
}

/** Writes documents as the user's memories, dated as in the suite; returns their names by id. */
function write(documents: Suite["documents"], path: string): ReadonlyMap<string, string> {
  mkdirSync(path, { recursive: true });
  return new Map(documents.map((document, number) => {
    const now = new Date(timeOf(document.ts)!);
    const memory = memoryOf(document, { folder: { scope: "user", path }, number, now });
    writeFileSync(memory.path, serializeMemory(memory));
    return [document.id, memory.name];
  }));
}

async function ask(prompt: string, id: string, sandbox: Sandbox): Promise<string> {
  const stdin = { session_id: id, cwd: sandbox.cwd, hook_event_name: "UserPromptSubmit", prompt };
  const answer = await memo(["hook"], sandbox, JSON.stringify(stdin));
  return String(JSON.parse(answer || "{}").hookSpecificOutput?.additionalContext ?? "");
}

async function memo(args: string[], { cwd, home }: Sandbox, stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await run(MEMO, args, { cwd, env: home.env, stdin });
  if (code === 0) return stdout;
  throw new Error(`memo ${args.join(" ")} exited with ${code}: ${stdout}${stderr}`);
}
