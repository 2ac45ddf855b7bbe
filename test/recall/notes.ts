// Notes in a real index, and prompts that are asked of it.

import type { MemoryFile } from "../../src/core/memory/memory.ts";
import {
  type Recall,
  recall,
  type RecallContext,
  type RecallRequest,
} from "../../src/core/recall/recall.ts";
import { NOTHING_SHOWN } from "../../src/core/recall/shown.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

export const NOW = new Date("2026-11-21T12:00:00Z");
export const CONFIG = loadConfig("/nowhere/config.yaml", {});

/** An index of notes, `/memories/0.md` and so on where they have no path. */
export async function indexOf(files: readonly Partial<MemoryFile>[], folder?: string) {
  const made = await makeIndex(
    files.map((fields, i) => memoryFile({ path: `/memories/${i}.md`, ...fields })),
    folder,
  );
  const ask = (
    prompt: string,
    request: Partial<RecallRequest> = {},
    context: Partial<RecallContext> = {},
  ): Promise<Recall> =>
    recall(
      { prompt, folders: [made.folder], shown: NOTHING_SHOWN, ...request },
      { index: made.index, config: CONFIG, now: NOW, ...context },
    );
  return { ...made, ask, corpus: await made.index.corpus([made.folder]) };
}

/** The names of the memories that a prompt was given. */
export function namesIn({ entries }: Pick<Recall, "entries">): string[] {
  return entries.map(({ fused }) => fused.memory.name);
}
