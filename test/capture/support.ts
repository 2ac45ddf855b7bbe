import { appendFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type CaptureContext,
  type CapturePlan,
  planCapture,
} from "../../src/core/capture/capture.ts";
import { CHANGE_LOG } from "../../src/core/ledger/change_log.ts";
import type { Step, Turn } from "../../src/core/transcript/turns.ts";
import { contextOf } from "../llm/support.ts";
import { change } from "../support/change.ts";
import type { Home } from "../support/home.ts";
import { type MessagesApi, type ReplyBlock, serveMessagesApi } from "../support/messages_api.ts";
import { filesIn as allIn } from "../support/files.ts";

/** When the tests' captures run. */
export const NOW = new Date("2026-11-21T12:00:00Z");

/** A turn with what a test does not care about filled in. */
export function turn(fields: Partial<Turn> & { readonly id: string }): Turn {
  return {
    ...{ session: "s1", at: "2026-11-21T10:00:00Z", cwd: "/", prompt: "Hello" },
    ...{ steps: [], wrote: [], end: 1 },
    ...fields,
  };
}

/** A page that the model has read. */
export const fetched = (result: string): Step => ({
  ...{ kind: "tool", name: "WebFetch", input: "https://site.example", result, failed: false },
});

/** The correction that most tests capture. */
export const MEMORY = {
  turn: 1,
  name: "Use pnpm, never npm",
  type: "feedback",
  description: "When installing packages",
  body: "Use pnpm.\n\n**Why:** npm wrote a second lockfile.\n\n**How to apply:** `pnpm add`.",
  triggers: ["install a package", "add a dependency"],
  origin: "user",
};

/** A server that answers with one reply after the other, the last one for ever. */
export async function serveReplies(...replies: readonly unknown[]): Promise<MessagesApi> {
  let asked = 0;
  return await serveMessagesApi((): ReplyBlock[] => {
    const reply = replies[Math.min(asked++, replies.length - 1)];
    return typeof reply === "string"
      ? [{ type: "text", text: reply }]
      : [{ type: "tool_use", name: "answer", input: reply }];
  });
}

/** The same for a home's memo. */
export async function serveRepliesTo(home: Home, ...replies: readonly unknown[]) {
  const api = await serveReplies(...replies);
  useModel(home, api);
  return api;
}

/** Has memo in a home ask the language model at a server. */
export function useModel({ memoHome }: Home, { url }: Pick<MessagesApi, "url">): void {
  const text = `llm: {provider: anthropic, base_url: "${url}"}\n`;
  appendFileSync(join(memoHome, "config.yaml"), text);
}

/** What a capture in a home is told, and what it has logged. */
export function captureContext(
  home: Home,
  api: Pick<MessagesApi, "url">,
  variables: Record<string, string> = {},
): CaptureContext & { readonly logged: string[] } {
  const logged: string[] = [];
  return {
    ...contextOf(home, {
      ...{ MEMO_LLM_PROVIDER: "anthropic", MEMO_LLM_BASE_URL: api.url },
      ...variables,
    }),
    now: () => NOW,
    log: (event, details) => logged.push(JSON.stringify({ event, ...details })),
    transcript: "/transcripts/s1.jsonl",
    logged,
  };
}

/** What the daemon would say of every candidate: that it takes the place of the memory at a path. */
export function judgedAgainst(path: string): Pick<CaptureContext, "similar"> {
  const relation = { answer: "replaces", probability: 0.95, by: "judge" } as const;
  return { similar: () => Promise.resolve([{ path, cosine: 0.7, relation }]) };
}

/** Plans a capture and applies it. */
export async function capture(
  turns: readonly Turn[],
  context: CaptureContext,
): Promise<CapturePlan> {
  const plan = await planCapture(turns, context);
  await change(plan.changes, NOW);
  return plan;
}

/** What capture has written below a folder; the log of changes, which has times and random ids, if asked for. */
export function filesIn(folder: string, { withLog = false } = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(allIn(folder)).filter(([name]) => withLog || basename(name) !== CHANGE_LOG),
  );
}
