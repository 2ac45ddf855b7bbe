import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import type { HookOutput } from "../../../hooks/wire.ts";
import { hostOf } from "../../../src/core/daemon/methods.ts";
import { contextFor } from "../../../src/core/events/conversation.ts";
import { readEvent } from "../../../src/core/events/event.ts";
import { handle } from "../../../src/core/events/mod.ts";
import type { Log } from "../../../src/core/files/log.ts";
import { LIKELY } from "../../../src/core/recall/format.ts";
import { CLOSE } from "../../../src/core/text/block.ts";
import type { World } from "./world.ts";

/** A prompt that is typed in a session of its own. */
export interface Prompt {
  readonly id: string;
  readonly project: string;
  readonly text: string;
}

/** The context that one prompt had. */
export interface Context<P extends Prompt = Prompt> {
  readonly prompt: P;
  /** The text at the start of its session. */
  readonly start: string;
  /** The texts that were given with the prompt, or by a later hook of the turn. */
  readonly blocks: readonly string[];
  /** The memories in them. */
  readonly given: readonly Given[];
  /** Characters of those blocks. */
  readonly blockChars: number;
}

/** A memory as it was given with a prompt. */
export interface Given {
  readonly text: string;
  /** With its text; otherwise as one line that has its title and path. */
  readonly isInFull: boolean;
}

export interface ServeOptions {
  /** The time at which the prompts are typed. */
  readonly now: Date;
  readonly log: Log;
  /** Maximum wait for a prompt's LLM call before the turn's next hook; default: as long as one takes. */
  readonly settleMs?: number;
  readonly onProgress?: (done: number) => void;
}

/** Sends a hook's stdin, and returns the text that the model is given. */
type Send = (input: object) => Promise<string>;

/** Maximum wait for a prompt's vector: what a session is given must not depend on how busy the machine is. */
const PATIENCE_MS = 60_000;
/** The wait for a prompt's LLM call, which is a recorded one. */
const SETTLE_MS = 150;

/** Sends each prompt through the hooks of its own session and returns the context that the model had. */
export async function serveAll<P extends Prompt>(
  prompts: readonly P[],
  world: World,
  { now, log, settleMs, onProgress }: ServeOptions,
): Promise<Context<P>[]> {
  await settle(prompts, world);
  const send = hooksOf(world, { now, log });
  const contexts: Context<P>[] = [];
  for (const [i, prompt] of prompts.entries()) {
    const base = { session_id: prompt.id, cwd: world.project(prompt.project) };
    const start = await send({ ...base, hook_event_name: "SessionStart", source: "startup" });
    const blocks = await ask(prompt, { base, send, settleMs });
    contexts.push({
      prompt,
      start,
      blocks,
      given: blocks.flatMap(memoriesIn),
      blockChars: charsOf(blocks),
    });
    onProgress?.(i + 1);
  }
  return contexts;
}

/** Sends a prompt and the next hook of its turn, and returns their texts. */
export async function ask(
  { text }: Pick<Prompt, "text">,
  { base, send, settleMs = SETTLE_MS }: {
    readonly base: object;
    readonly send: Send;
    readonly settleMs?: number | undefined;
  },
): Promise<string[]> {
  const at = await send({ ...base, hook_event_name: "UserPromptSubmit", prompt: text });
  await sleep(settleMs);
  return [at, await send({ ...base, hook_event_name: "PostToolBatch", tool_calls: [] })];
}

/** The length of some texts together. */
export function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Indexes what the prompts' projects have. */
async function settle(prompts: readonly Prompt[], world: World): Promise<void> {
  const { engine } = world;
  for (const name of new Set(prompts.map(({ project }) => project))) await world.sync(name);
  await engine.embedded();
  await engine.model.embedder();
}

/** The hooks of sessions in a world. */
export function hooksOf(
  { engine, env, claude }: World,
  { now, log }: Pick<ServeOptions, "now" | "log">,
): Send {
  const { embed, ...host } = hostOf(engine, {
    log,
    captureSoon: () => {},
    defer: (work) => void setImmediate(() => work(true)),
    session: { env, isPlain: false },
    now: () => now,
  });
  const patient = { ...host, embed: embed && ((text: string) => embed(text, PATIENCE_MS)) };
  return async (input) => {
    const event = readEvent(input)!;
    const output = await handle(event, contextFor(event, patient, { claude }));
    await nextTick(); // the session's state is saved: the next event knows what this one has given
    return textOf(output);
  };
}

function textOf({ hookSpecificOutput: given }: HookOutput): string {
  return given !== undefined && "additionalContext" in given ? given.additionalContext : "";
}

/** The end of a heading without a text below it; one whose memory is one line has no other text. */
const NOT_SHOWN = /^## .* \((?:[^()\n]*; )?not shown here\)$/m;

/** The memories of a block, by heading; one that is only likely has no more than that, or only its title. */
export function memoriesIn(block: string): Given[] {
  const [headed = "", titles = ""] = /^## /m.test(block)
    ? block.split(`\n${LIKELY}\n`)
    : ["", block];
  return [
    ...headed.replace(CLOSE, "").split(/^(?=## )/m).slice(1)
      .map((text) => ({ text, isInFull: !NOT_SHOWN.test(text) })),
    ...(titles.match(/^- .*/gm) ?? []).map((text) => ({ text, isInFull: false })),
  ];
}
