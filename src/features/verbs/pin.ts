import { revision } from "../../core/change/change.ts";
import { refuseForeign } from "../../core/change/own.ts";
import type { Found } from "../../core/ledger/find.ts";
import { mayRead } from "../../core/memory/trust.ts";
import { changeAs, type Changed, type Doing, type Unchanged } from "./changed.ts";

/** Keeps the titles of memories in every start block, or no longer; that is no consent to a repository's file. */
export async function pin(
  found: readonly Found[],
  pinned: boolean,
  doing: Doing,
): Promise<Changed | Unchanged> {
  for (const each of found) refuseForeign(each, "pin");
  const others = found.filter(({ memory }) => memory.pinned !== pinned);
  if (others.length === 0) return { said: pinned ? "Pinned already" : "Not pinned" };
  return await changeAs(pinned ? "Pinned" : "Unpinned", (group) =>
    others.map((each) => {
      const change = revision(each, { pinned }, { what: pinned ? "pin" : "unpin", group });
      const keepsTrust = !mayRead(each.folder, each.memory.digest);
      return keepsTrust ? { ...change, keepsTrust } : change;
    }), doing);
}
