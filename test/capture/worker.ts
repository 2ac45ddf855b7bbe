// A process that captures a transcript with the real queue, cursor and worker, and ends itself with SIGKILL at a moment
// that it is told; and the same without dying, for the process of the test.

import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { appendEntry, journalEntry } from "../../src/capture/journal.ts";
import type { Action } from "../../src/capture/plan.ts";
import { readJobs } from "../../src/capture/queue.ts";
import { capture, complete, type Pipeline, type WorkOptions } from "../../src/capture/work.ts";
import { writeFileAtomic } from "../../src/memory/atomic.ts";

/** A pipeline without a language model: each turn becomes a file and an entry in the journal. */
export function plainPipeline(folder: string, between: () => void = () => {}): Pipeline {
  return {
    plan: (turns, { transcript }) => {
      appendFileSync(join(folder, "asked"), turns.map(({ id }) => id + "\n").join(""));
      const at = new Date("2026-11-21T14:30:00Z");
      const actions = turns.flatMap((turn): Action[] => [
        {
          kind: "write",
          folder: { scope: "user", path: folder },
          path: join(folder, `${turn.id}.md`),
          text: `${turn.prompt}\n`,
          before: undefined,
        } as Action,
        journalEntry(turn, {
          bullets: [turn.prompt || "The model went on"],
          transcript,
          folder: join(folder, "journal"),
          at,
        })!,
      ]);
      return Promise.resolve({ actions });
    },
    apply: async ({ actions }) => {
      for (const action of actions) {
        if (action.kind === "journal") await appendEntry(action.path, action);
        if (action.kind === "write" && !existsSync(action.path)) {
          writeFileAtomic(action.path, action.text);
        }
        between();
      }
    },
  };
}

/** Does what the daemon does when it starts: what was begun, then what waits. */
export async function workOff(
  root: string,
  options: Pick<WorkOptions, "pipeline" | "after">,
): Promise<void> {
  const all: WorkOptions = {
    capture: join(root, "capture"),
    log: () => {},
    signal: new AbortController().signal,
    lastMessage: () => undefined,
    portionChars: 800,
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
