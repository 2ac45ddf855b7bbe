import { archival } from "../../core/change/change.ts";
import { refuseForeign } from "../../core/change/own.ts";
import type { Found } from "../../core/ledger/find.ts";
import { changeAs, type Changed, type Doing } from "./changed.ts";

/** Moves memories to the archive. */
export async function forget(found: readonly Found[], doing: Doing): Promise<Changed> {
  for (const each of found) refuseForeign(each, "forget");
  const forgotten = await changeAs(
    "Forgot",
    (group) => found.map((each) => archival(each, { what: "forget", group })),
    doing,
  );
  const isShared = found.some(({ folder }) => folder.scope === "shared");
  const more = isShared ? "; commit the deletion to forget it for all" : "";
  return { ...forgotten, said: forgotten.said + more };
}
