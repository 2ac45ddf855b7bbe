// A session of the real Claude Code that saves, finds and forgets a memory through memo's tools.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { runClaude } from "./claude.ts";
import { type Home, runMemo } from "./home.ts";
import {
  isMemos,
  type MessagesRequest,
  type ReplyBlock,
  serveMessagesApi,
} from "./messages_api.ts";

const MODEL = "claude-sonnet-5-5";

/** One call of a tool for each prompt; then the model says what came back. */
const CALLS = [
  {
    prompt: "remember this: we deploy with kamal, because the servers are our own",
    tool: "memory_save",
    input: { text: "We deploy with kamal, because the servers are our own", type: "decision" },
    gives: /Saved: “We deploy with kamal/,
  },
  {
    prompt: "what did we decide about deploying?",
    tool: "memory_search",
    input: { query: "what did we decide about deploying?" },
    gives: /We deploy with kamal/,
  },
  {
    prompt: "forget that about kamal",
    tool: "memory_forget",
    input: { name: "We deploy with kamal" },
    gives: /Forgot “We deploy with kamal/,
  },
] as const;

/** Runs the three prompts in one session, and returns what the tools gave, in order. */
export async function converse(home: Home, prefix: string) {
  await using api = await serveMessagesApi((request) => script(request, prefix));
  const prompts = CALLS.map(({ prompt }) => prompt);
  const run = await runClaude(home, prompts, { api: api.url, model: MODEL });
  const last = api.requests.filter((request) => !isMemos(request)).at(-1)!;
  return { ...run, results: toolResults(last), requests: api.requests };
}

function script(request: MessagesRequest, prefix: string): readonly ReplyBlock[] {
  const done = toolResults(request).length;
  const asked = CALLS.filter(({ prompt }) => JSON.stringify(request.messages).includes(prompt));
  const call = asked.at(-1);
  if (isMemos(request) || call === undefined || done >= asked.length) {
    return [{ type: "text", text: "Done." }];
  }
  return [{ type: "tool_use", name: `${prefix}__${call.tool}`, input: call.input }];
}

function toolResults({ messages }: MessagesRequest): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result")
  ).map((block) => JSON.stringify(block));
}

/** Checks that all three acted at once, and that nobody was asked. */
export async function assertServed(home: Home, prefix: string): Promise<void> {
  const { asked, failed, results } = await converse(home, prefix);
  assert.deepEqual([asked, failed], [[], false]);
  assert.equal(results.length, CALLS.length);
  for (const [i, { gives }] of CALLS.entries()) {
    assert.match(results[i]!.replaceAll("\\", ""), gives);
  }
  const { stdout } = await runMemo(home, ["list", "--archived", "--json"]);
  const [archived] = JSON.parse(stdout);
  assert.ok(existsSync(archived.path));
}
