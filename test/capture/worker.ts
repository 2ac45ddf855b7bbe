// A process that captures a transcript with the real queue, cursor and worker, and ends itself with SIGKILL at a moment
// that it is told; and the same without dying, for the process of the test.

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut } from "../../src/core/change/carry_out.ts";
import { journalEntry } from "../../src/core/journal/journal.ts";
import type { Change } from "../../src/core/change/change.ts";
import { readJobs } from "../../src/core/capture/queue.ts";
import type { Turn } from "../../src/core/transcript/turns.ts";
import { surroundings } from "../support/change.ts";
import { capture, complete, type Pipeline, type WorkOptions } from "../../src/core/capture/work.ts";

/** Later than anything that a transcript says. */
const NOW = new Date("2026-11-21T14:30:00Z");

/** A pipeline without a language model: each turn becomes a memory and an entry in the journal. */
export function plainPipeline(folder: string, onStep?: () => void): Pipeline {
  return {
    plan: (turns, { transcript }) => {
      appendFileSync(join(folder, "asked"), turns.map(({ id }) => id + "\n").join(""));
      const changes = turns.flatMap((turn): Change[] => [
        ...turn.isSummary ? [] : [
          {
            ...{ kind: "add", what: "add", file: "feedback_same_name.md" } as const,
            folder: { scope: "user", path: folder } as const,
            text: memoryOf(turn),
          } as const,
        ],
        journalEntry(turn, {
          bullets: [turn.prompt || "The model went on"],
          transcript,
          journal: {
            path: join(folder, "journal"),
            folder: { scope: "user", path: folder } as const,
          },
          at: NOW,
        })!,
      ]);
      return Promise.resolve({ changes });
    },
    apply: async ({ changes }) => {
      await carryOut(changes, { ...surroundings(NOW), onStep });
    },
  };
}

function memoryOf({ id, prompt }: Turn): string {
  return `---\nname: Same name\ntype: feedback\nsource:\n  turn: ${id}\n---\n${
    prompt || "Nothing"
  }\n`;
}

/** Does what the daemon does when it starts: what was begun, then what waits. */
export async function workOff(
  root: string,
  options: Pick<WorkOptions, "pipeline" | "after"> & Partial<WorkOptions>,
): Promise<void> {
  const all: WorkOptions = {
    capture: join(root, "capture"),
    off: { home: root },
    log: () => {},
    signal: new AbortController().signal,
    lastMessage: () => undefined,
    portionChars: 800,
    now: () => NOW,
    ...options,
  };
  await complete(all);
  for (const job of readJobs(all.capture)) await capture(job, all);
}

if (import.meta.main) {
  const [root, moment] = process.argv.slice(2);
  let passed = 0;
  const die = (at: string) => {
    appendFileSync(join(root!, "steps"), at + "\n");
    if (++passed === Number(moment)) process.kill(process.pid, "SIGKILL");
  };
  await workOff(root!, {
    pipeline: plainPipeline(join(root!, "memory"), () => die("action")),
    after: (step) => Promise.resolve(die(step)),
  });
}
