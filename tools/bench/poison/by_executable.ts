// The same as in process, by the executable: conversations captured by a command, prompts answered by its hook.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../test/support/run.ts";
import { MEMO } from "../executable.ts";
import type { Conversation } from "../sessions/conversation.ts";
import type { Prompt } from "../sessions/serve.ts";
import { sessionOf, transcriptOf } from "../sessions/transcript.ts";
import type { World } from "../sessions/world.ts";

/** What a prompt had in context. */
export interface Had {
  readonly start: string;
  readonly blocks: readonly string[];
}

/** Captures conversations in one run of the command. */
export async function captureByExecutable(
  conversations: readonly Conversation[],
  world: World,
): Promise<void> {
  for (const conversation of conversations) {
    const cwd = world.project(conversation.project);
    const folder = join(world.claude, "projects", conversation.project);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${sessionOf(conversation)}.jsonl`),
      transcriptOf(conversation, { cwd }),
    );
  }
  await memo(["import", "conversations", "--all", "--yes", "--json"], world);
}

/** Sends prompts to the hook, each in a session of its own, when every session has begun. */
export async function serveByExecutable(
  prompts: readonly Prompt[],
  world: World,
): Promise<Had[]> {
  await memo(["daemon", "start"], world);
  try {
    const ask = async ({ id, project }: Prompt, fields: object) => {
      const stdin = JSON.stringify({ session_id: id, cwd: world.project(project), ...fields });
      const answer = await memo(["hook"], world, stdin);
      return String(JSON.parse(answer || "{}").hookSpecificOutput?.additionalContext ?? "");
    };
    const start = { hook_event_name: "SessionStart", source: "startup" };
    const starts: string[] = [];
    for (const prompt of prompts) starts.push(await ask(prompt, start));
    const had: Had[] = [];
    for (const [i, prompt] of prompts.entries()) {
      const fields = { hook_event_name: "UserPromptSubmit", prompt: prompt.text };
      had.push({ start: starts[i]!, blocks: [await ask(prompt, fields)] });
    }
    return had;
  } finally {
    await memo(["daemon", "stop"], world);
  }
}

async function memo(args: readonly string[], { env, home }: World, stdin = ""): Promise<string> {
  const options = { cwd: home, env: { PATH: process.env["PATH"] ?? "", ...env }, stdin };
  const { code, stdout, stderr } = await run(MEMO, args, options);
  if (code === 0) return stdout;
  throw new Error(`memo ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`);
}
