import { messageOf } from "../errors.ts";
import type { Memory, MemoryFolder } from "../memory/memory.ts";
import { newChangeId } from "../memory/change_log.ts";
import { archive, type ChangeOptions, writeMemory } from "../memory/store.ts";
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

/** Carries out the steps of an import, which `memo log` groups; one that fails is named, and the rest goes on. */
export function applyImport(
  steps: readonly Step[],
  { now, onProgress }: ApplyOptions,
): { readonly written: readonly Written[]; readonly failed: readonly Skipped[] } {
  const written: Written[] = [];
  const failed: Skipped[] = [];
  const change = { what: "import", now, group: newChangeId() } as const;
  for (const [i, step] of steps.entries()) {
    onProgress?.(i, steps.length);
    const { kind, memory, folder } = step;
    try {
      written.push({ kind, memory, folder, path: apply(step, change) });
    } catch (error) {
      failed.push({ what: memory.name, because: messageOf(error) });
    }
  }
  onProgress?.(steps.length, steps.length);
  return { written, failed };
}

function apply(step: Step, change: ChangeOptions): string {
  const { kind, memory, folder } = step;
  if (kind === "update") {
    return writeMemory(memory, folder, { ...change, replaces: step.path });
  }
  const path = writeMemory(memory, folder, change);
  return kind === "archive" ? archive(path, folder, change) : path;
}
