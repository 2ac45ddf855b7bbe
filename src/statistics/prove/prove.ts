// What memo would have spared a person: memories are made from the older part of the conversations, in a store of their
// own, and the newer part is held again with it.

import { portionsOf } from "../../capture/portions.ts";
import { capturePipeline } from "../../engine/capture_pipeline.ts";
import { listMemoryFiles } from "../../memory/folder.ts";
import { memoryFolders, placeIn } from "../../memory/scopes.ts";
import type { Conversation, Parts } from "./conversations.ts";
import type { Stage } from "./replay.ts";
import { type Proven, proveSession } from "./session.ts";

/** What was found. */
export interface Proof {
  /** Memories of the older part. */
  readonly memories: number;
  readonly prompts: number;
  /** What was said again, oldest first. */
  readonly repeats: readonly Proven[];
}

/** Captures the older part and looks through the newer one; rejects if the language model does not answer. */
export async function prove(
  { older, newer }: Parts,
  stage: Stage,
  { onProgress }: { readonly onProgress?: (what: string, done: number, total: number) => void } =
    {},
): Promise<Proof> {
  for (const [i, conversation] of older.entries()) {
    onProgress?.("Capturing the older part", i, older.length);
    await capture(conversation, stage);
  }
  const { engine, env, claude } = stage;
  await engine.embedded();
  const repeats: Proven[] = [];
  const files = new Set<string>();
  for (const [i, prompts] of newer.entries()) {
    onProgress?.("Reading the newer part", i, newer.length);
    const place = placeIn({ ...engine.paths, claude }, prompts[0]!.cwd);
    for (const folder of memoryFolders(place)) {
      await engine.sync(folder);
      for (const { path } of listMemoryFiles(folder)) files.add(path);
    }
    repeats.push(...await proveSession(prompts, stage, engine.askFor(env, place, "prove")!));
  }
  return {
    memories: files.size,
    prompts: newer.reduce((sum, prompts) => sum + prompts.length, 0),
    repeats,
  };
}

/** Captures a conversation, at the time at which it was held. */
async function capture(
  { transcript, turns }: Conversation,
  { engine, env, claude, log }: Stage,
): Promise<void> {
  const signal = new AbortController().signal;
  for (const portion of portionsOf(turns)) {
    const now = () => new Date(portion.at(-1)!.at);
    const pipeline = capturePipeline(engine, log, { envFor: () => env, now });
    const where = { transcript, cwd: portion[0]!.cwd, claude };
    const plan = await pipeline.plan(portion, { ...where, signal, isLastTry: true });
    await pipeline.apply(plan, where);
  }
}
