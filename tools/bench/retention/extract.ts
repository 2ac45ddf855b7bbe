import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capturePipeline } from "../../../src/engine/capture_pipeline.ts";
import type { Log } from "../../../src/files/log.ts";
import { readTurns } from "../../../src/transcript/turns.ts";
import { enrich } from "../../../src/upkeep/enrich.ts";
import type { Conversation } from "./suite.ts";
import { sessionOf, transcriptOf } from "./transcript.ts";
import type { World } from "./world.ts";

/** Conversations are captured this long after they began. */
const LATER_MS = 60 * 60_000;

/** Asks for more triggers where memories have few, as the daemon does after a capture. */
export async function enrichAll(world: World, projects: Iterable<string>): Promise<void> {
  const { engine, env } = world;
  for (const name of projects) {
    const { place, folders } = await world.sync(name);
    await engine.withIndex((index) =>
      enrich({
        ...{ index, folders, suggestions: engine.paths.triggers, now: new Date() },
        ask: engine.askFor(env, place)!,
      })
    );
  }
  await engine.embedded();
}

/**
 * Captures conversations in their order, as memo does after each one: each knows the memories of those before it.
 * Rejects when the language model has no answer.
 */
export async function extractAll(
  conversations: readonly Conversation[],
  world: World,
  { log, onProgress }: { log: Log; onProgress?: (done: number) => void },
): Promise<void> {
  const written = new Set<string>();
  for (const [i, conversation] of conversations.entries()) {
    onProgress?.(i);
    const cwd = world.project(conversation.project);
    const folder = join(world.claude, "projects", conversation.project);
    const transcript = join(folder, `${sessionOf(conversation)}.jsonl`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(transcript, transcriptOf(conversation, { cwd }));

    const now = () => new Date(Date.parse(conversation.at) + LATER_MS);
    const pipeline = capturePipeline(world.engine, log, { envFor: () => world.env, now });
    const turns = await Array.fromAsync(readTurns(transcript));
    const where = { transcript, cwd, claude: world.claude };
    const plan = await pipeline.plan(turns, { ...where, signal: new AbortController().signal });
    await pipeline.apply(plan, where);
    for (const path of world.paths()) {
      if (!written.has(path)) utimesSync(path, now(), now());
      written.add(path);
    }
  }
  await world.engine.embedded();
  onProgress?.(conversations.length);
}
