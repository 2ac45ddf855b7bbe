// The triggers that a language model wrote for the notes of the suite `typed`, recorded as memo keeps them itself, so
// that they count in stores of every size, whichever notes memo would ask about together.

import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { World } from "../sessions/world.ts";
import { withFewTriggers } from "../../../src/upkeep/enrich.ts";

/** Gives a world the recorded triggers, before its notes are indexed. */
export function giveTriggers({ engine }: World, recording: string): void {
  mkdirSync(dirname(engine.paths.triggers), { recursive: true });
  copyFileSync(recording, engine.paths.triggers);
}

/** Throws where notes of a project have no recorded triggers. */
export async function checkTriggers({ engine, sync }: World, project: string): Promise<void> {
  const { folders } = await sync(project);
  const suggestions = engine.paths.triggers;
  const left = await engine.withIndex((index) => withFewTriggers({ index, folders, suggestions }));
  if (left.length === 0) return;
  throw new Error(
    `${left.length} notes of ${project} have no recorded triggers, as "${left[0]!.name}"`,
  );
}
