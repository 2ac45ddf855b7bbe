import { readFixture } from "./fixtures.ts";
import { type Home, succeed } from "./home.ts";

/** What a hook has answered. */
export interface HookReply {
  /** What the model gets. */
  readonly block: string;
  /** What the person gets. */
  readonly notice: string;
  readonly stdout: string;
}

/** Sends an event as Claude Code does, with a captured stdin in which these fields are others; it must go well. */
export async function sendHook(
  home: Home,
  fixture: string,
  fields: object = {},
  { executable }: { readonly executable?: string } = {},
): Promise<HookReply> {
  const stdin = JSON.stringify({ ...readFixture(fixture), cwd: home.project, ...fields });
  const stdout = await succeed(home, ["hook"], { stdin, executable });
  const { hookSpecificOutput, systemMessage = "" } = JSON.parse(stdout || "{}");
  return { block: hookSpecificOutput?.additionalContext ?? "", notice: systemMessage, stdout };
}

/** The block that a prompt gets. */
export async function askHook(home: Home, prompt: string, session_id = "s1"): Promise<string> {
  return (await sendHook(home, "UserPromptSubmit", { prompt, session_id })).block;
}
