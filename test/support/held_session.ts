import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runClaude } from "./claude.ts";
import type { Home } from "./home.ts";
import { isMemos, type MessagesRequest, serveMessagesApi } from "./messages_api.ts";

const MODEL = "claude-sonnet-5-5";
/** What this provider takes for a token. */
const TOKEN_CHARS = 3.3;

/** What a request has, in tokens. */
function inputTokens({ system, tools = [], messages }: MessagesRequest): number {
  const length = (value: unknown): number =>
    typeof value === "string"
      ? value.length
      : Array.isArray(value)
      ? value.reduce((sum, { text, content }) => sum + length(text ?? content ?? ""), 0)
      : 0;
  const chars = length(system) + tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0) +
    length(messages);
  return Math.round(chars / TOKEN_CHARS);
}

/**
 * Holds a session of these prompts in the real Claude Code, against a provider that counts characters; returns the input
 * tokens that Claude Code itself has counted, and the transcript.
 */
export async function holdSession(
  home: Home,
  prompts: readonly string[],
  timeoutMs?: number,
): Promise<{ readonly counted: number; readonly transcript: string }> {
  await using api = await serveMessagesApi(
    (request) => [{ type: "text", text: isMemos(request) ? "{}" : "The scripted answer." }],
    { inputTokens },
  );
  const options = { api: api.url, model: MODEL, ...timeoutMs !== undefined && { timeoutMs } };
  const { session } = await runClaude(home, prompts, options);
  const folder = join(home.claude, "projects");
  const file = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .find((name) => name.endsWith(`${session}.jsonl`))!;
  const transcript = join(folder, file);
  const last = readFileSync(transcript, "utf8").split("\n")
    .filter((line) => line.startsWith('{"type":"cost-state"')).at(-1)!;
  return { counted: JSON.parse(last).modelUsage[MODEL].inputTokens, transcript };
}
