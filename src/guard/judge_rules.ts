import { offerOf } from "../change/follow.ts";
import { leaveNotices } from "../change/notices.ts";
import { readGuards } from "./guards.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { escalate } from "./escalate.ts";
import type { Judgement } from "../capture/verdicts.ts";
import type { Engine } from "../engine/engine.ts";

/** Escalates rules that were broken; one at the top is offered to the user as a guard. */
export function judgeRules(
  judged: readonly Judgement[],
  { engine: { paths, isBackground }, folders, now }: {
    readonly engine: Pick<Engine, "paths" | "isBackground">;
    readonly folders: readonly MemoryFolder[];
    readonly now: Date;
  },
): void {
  const escalated = escalate(judged.map(({ path }) => path), { ...paths, folders, now });
  if (!isBackground) return;
  const guarded = new Set(readGuards(paths.guards).map(({ path }) => path));
  const offered = escalated.filter(({ memory, step }) =>
    step.to === "guard" && !guarded.has(memory.path)
  );
  const session = judged[0]?.session, at = now.toISOString();
  leaveNotices(
    paths.notices,
    offered.map(({ memory: { name, path }, folder }) =>
      offerOf({ at, name, path, folder: folder.path, session })
    ),
  );
}
