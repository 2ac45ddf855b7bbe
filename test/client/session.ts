// What the tests with the real Claude Code have in common.

import assert from "node:assert/strict";
import { canFetch, CLAUDE_VERSION, withClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import {
  isMemos,
  type MessagesApi,
  type MessagesRequest,
  type ReplyBlock,
  textOf,
} from "../support/messages_api.ts";

export const MODEL = "claude-sonnet-5-5";
/** Clients of last year, and a model that they know. */
export const OLD_MODEL = "claude-sonnet-4-5";
export const CLIENTS: readonly { readonly version: string; readonly model: string }[] = [
  { version: CLAUDE_VERSION, model: MODEL },
  { version: "2.1.100", model: OLD_MODEL },
  { version: "2.0.77", model: OLD_MODEL },
];
export const DONE: readonly ReplyBlock[] = [{ type: "text", text: "The scripted answer." }];

/** A memory file as a person writes one. */
export const note = (name: string, type: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: ${type}\n---\n${body}.\n`;

/** A reply that uses a tool. */
export const call = (name: string, input: object): ReplyBlock => ({
  type: "tool_use",
  name,
  input,
});

/** A home with the real `claude` of a version on its path; undefined where it cannot be had. */
export async function homeWith(
  version: string,
  more: Readonly<Record<string, string>> = PATIENCE,
): Promise<Home | undefined> {
  if (!await canFetch(version)) return undefined;
  return await withClaude(makeHome(more, { hasModel: true }), version);
}

/** Runs commands that must succeed, and warms the daemon up. */
export async function prepare(home: Home, ...commands: readonly (readonly string[])[]) {
  for (const args of commands) await succeed(home, args);
  await warmUp(home);
}

/** The requests that are Claude Code's own, oldest first. */
export const ownOf = ({ requests }: Pick<MessagesApi, "requests">): MessagesRequest[] =>
  requests.filter((request) => !isMemos(request));

/** The last request of Claude Code's that carries a prompt; memo's own carry it too, to be captured. */
export function requestWith(prompt: string, api: MessagesApi): MessagesRequest {
  const found = ownOf(api).findLast((request) => textOf(request, "user").includes(prompt));
  assert.ok(found, `no request carries ${prompt}`);
  return found;
}

/** How often a text stands in the messages of a request. */
export const count = (request: Pick<MessagesRequest, "messages"> | undefined, text: string) =>
  JSON.stringify(request?.messages).split(text).length - 1;
