import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capturePipeline } from "../../../src/core/engine/surroundings.ts";
import type { Log } from "../../../src/core/files/log.ts";
import { readTurns } from "../../../src/core/transcript/turns.ts";
import { enrich } from "../../../src/features/upkeep/enrich.ts";
import type { Conversation } from "./conversation.ts";
import { sessionOf, transcriptOf } from "./transcript.ts";
import type { World } from "./world.ts";

/** Conversations are captured this long after they began. */
const LATER_MS = 60 * 60_000;

export interface CaptureOptions {
  readonly log: Log;
  readonly onProgress?: (done: number) => void;
}

/** Asks for more triggers where memories have few, as the daemon does after a capture. */
export async function enrichAll(world: World, projects: Iterable<string>): Promise<void> {
  const { engine, env } = world;
  for (const name of projects) {
    const { place, folders } = await world.sync(name);
    await engine.withIndex((index) =>
      enrich({
        ...{ index, folders, suggestions: engine.paths.triggers, now: new Date() },
        ask: engine.askFor(env, place, "enrich")!,
      })
    );
  }
  await engine.embedded();
}

/**
 * Captures conversations in their order, as memo does after each one: each knows the memories of those before it.
 * Rejects when the language model has no answer.
 */
export async function captureAll(
  conversations: readonly Conversation[],
  world: World,
  options: CaptureOptions,
): Promise<void> {
  await captureDays(conversations.map((conversation) => [conversation]), world, options);
}

/**
 * Captures days of work, of which each has sessions that run side by side: they know the memories of the days before.
 * Rejects when the language model has no answer, after all sessions of the day have asked it.
 */
export async function captureDays(
  days: readonly (readonly Conversation[])[],
  world: World,
  { log, onProgress }: CaptureOptions,
): Promise<void> {
  const written = new Set<string>();
  let captured = 0;
  for (const day of days) {
    const plans: { readonly apply: () => Promise<void>; readonly at: Date }[] = [];
    let failure: unknown;
    for (const conversation of day) {
      onProgress?.(captured++);
      const cwd = world.project(conversation.project);
      const folder = join(world.claude, "projects", conversation.project);
      const transcript = join(folder, `${sessionOf(conversation)}.jsonl`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(transcript, transcriptOf(conversation, { cwd }));

      const at = new Date(Date.parse(conversation.at) + LATER_MS);
      const now = () => at;
      const pipeline = capturePipeline(world.engine, log, { envFor: () => world.env, now });
      const turns = await Array.fromAsync(readTurns(transcript));
      const where = { transcript, cwd, claude: world.claude };
      try {
        const plan = await pipeline.plan(turns, { ...where, signal: new AbortController().signal });
        plans.push({ at, apply: () => pipeline.apply(plan, where) });
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    for (const { at, apply } of plans) {
      await apply();
      for (const path of world.paths()) {
        if (!written.has(path)) utimesSync(path, at, at);
        written.add(path);
      }
    }
  }
  await world.engine.embedded();
  onProgress?.(captured);
}
