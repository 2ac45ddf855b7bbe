import { messageOf } from "../errors.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { archive, restore, writeMemory } from "../memory/store.ts";
import type { Step } from "./plan.ts";
import type { Skipped } from "./record.ts";

/** A memory that an import has written. */
export interface Written {
  readonly kind: Step["kind"];
  readonly memory: Memory;
  readonly folder: MemoryFolder;
  readonly path: string;
}

export interface ApplyOptions {
  readonly now: Date;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Carries out the steps of an import; one that fails is named, and the rest goes on. */
export function applyImport(
  steps: readonly Step[],
  { now, onProgress }: ApplyOptions,
): { readonly written: readonly Written[]; readonly failed: readonly Skipped[] } {
  const written: Written[] = [];
  const failed: Skipped[] = [];
  for (const [i, step] of steps.entries()) {
    onProgress?.(i, steps.length);
    const { kind, memory, folder } = step;
    try {
      written.push({ kind, memory, folder, path: apply(step, now) });
    } catch (error) {
      failed.push({ what: memory.name, because: messageOf(error) });
    }
  }
  onProgress?.(steps.length, steps.length);
  return { written, failed };
}

function apply(step: Step, now: Date): string {
  const { kind, memory, folder } = step;
  if (kind === "add") return writeMemory(memory, folder);
  if (kind === "archive") return archive(writeMemory(memory, folder), folder, now);
  const kept = archive(step.path, folder, now);
  try {
    return writeMemory(memory, folder, { replaces: step.path });
  } catch (error) {
    restore(kept, folder);
    throw error;
  }
}
