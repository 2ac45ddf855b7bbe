import { carryOut } from "../../core/change/carry_out.ts";
import { addition, type FileChange, revision } from "../../core/change/change.ts";
import type { Surroundings } from "../../core/change/follow.ts";
import { messageOf } from "../../errors.ts";
import { newChangeId } from "../../core/ledger/change_log.ts";
import type { Memory, MemoryFolder } from "../../core/memory/memory.ts";
import type { Step } from "./plan.ts";
import type { Skipped } from "./record.ts";

/** A memory that an import has written. */
export interface Written {
  readonly kind: Step["kind"];
  readonly memory: Memory;
  readonly folder: MemoryFolder;
  readonly path: string;
}

/** Carries out the steps of an import, which `memo undo` takes back as one; one that fails is named, and the rest goes on. */
export async function applyImport(
  steps: readonly Step[],
  { onProgress, ...surroundings }: Surroundings & {
    readonly onProgress?: (done: number, total: number) => void;
  },
): Promise<{ readonly written: readonly Written[]; readonly failed: readonly Skipped[] }> {
  const written: Written[] = [];
  const failed: Skipped[] = [];
  const group = newChangeId();
  const planned = new Map<FileChange, Step>();
  for (const step of steps) {
    try {
      planned.set(changeFor(step, group), step);
    } catch (error) {
      failed.push({ what: step.memory.name, because: messageOf(error) });
    }
  }
  await carryOut([...planned.keys()], {
    ...surroundings,
    onStep: () => onProgress?.(written.length, steps.length),
    onDone({ change, path }) {
      const { kind, memory, folder } = planned.get(change)!;
      written.push({ kind, memory, folder, path });
    },
    onFailure: (change, because) =>
      failed.push({ what: planned.get(change)!.memory.name, because }),
  });
  onProgress?.(steps.length, steps.length);
  return { written, failed };
}

function changeFor(step: Step, group: string): FileChange {
  const { kind, memory, folder } = step;
  const options = { what: "import", group } as const;
  if (kind === "update") {
    return revision({ memory: { path: step.path }, folder }, memory, options);
  }
  return { ...addition(memory, folder, options), isOld: kind === "archive" };
}
