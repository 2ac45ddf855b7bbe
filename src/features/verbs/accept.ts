// Notes that no conversation of the user's has written: a person takes them for their own, or leaves them marked.

import { revision } from "../../core/change/change.ts";
import { isUnwatched } from "../../core/memory/attributed.ts";
import { markOf } from "../../core/memory/basis.ts";
import type { Found } from "../../core/ledger/find.ts";
import { readMemories } from "../../core/memory/list.ts";
import type { Place } from "../../core/memory/project.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { grant } from "../../core/memory/trust.ts";
import { changeAs, type Changed, type Doing } from "./changed.ts";

/** The notes at a place that were imported, or that lie in Claude Code's auto memory and that no session wrote. */
export function arrivalsAt(place: Place): Omit<Found, "archived">[] {
  return memoryFolders(place).filter(({ scope }) => scope !== "shared" && scope !== "team").flatMap(
    (folder) =>
      readMemories(folder).memories.filter((memory) =>
        isUnwatched(memory, folder) || markOf(memory)?.tag === "elsewhere"
      ).map((memory) => ({ memory, folder })),
  );
}

/** Confirms such notes: those of auto memory in the file of what is trusted, others by a tag, which is in the log of changes. */
export async function accept(
  arrivals: ReturnType<typeof arrivalsAt>,
  file: string,
  doing: Doing,
): Promise<Changed | undefined> {
  const [theirs, own] = [true, false].map((isAuto) =>
    arrivals.filter(({ folder }) => (folder.scope === "auto") === isAuto)
  ) as [typeof arrivals, typeof arrivals];
  for (const [project, some] of Map.groupBy(theirs, ({ folder }) => folder.path)) {
    await grant({ file, project }, some.flatMap(({ memory: { digest } }) => digest ?? []), "you");
  }
  if (own.length === 0) return undefined;
  return await changeAs(
    "Confirmed",
    (group) =>
      own.map((each) =>
        revision(each, { tags: [...each.memory.tags, "confirmed"] }, { what: "edit", group })
      ),
    doing,
  );
}
