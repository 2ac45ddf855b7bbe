import { revertChange, type Reverted } from "../change/revert.ts";
import { CHANGES } from "../memory/change_log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Paths } from "../paths.ts";
import { type Doing, memoriesIn, stayed } from "./changed.ts";

/** What was taken back, in a sentence; undefined: nothing. */
export type Undone = Reverted & { readonly said: string | undefined };

/** Takes back the change, the group or the run with an id. */
export async function undo(
  id: string,
  folders: readonly MemoryFolder[],
  { paths, ...doing }: Doing & { readonly paths: Paths },
): Promise<Undone> {
  const { triggers: suggestions, escalations } = paths;
  const undone = await revertChange(id, folders, { ...doing, suggestions, escalations });
  const { reverted, left } = undone;
  const [first] = reverted;
  const added = reverted.filter(({ before }) => before === undefined).length;
  const said = first &&
    `Undid: ${CHANGES[first.what]} ${memoriesIn(reverted, added)}${stayed(left.length)}`;
  return { ...undone, said };
}
