import { MemoError } from "../../errors.ts";
import { noteIdIn, teamNameIn } from "../memory/teams.ts";
import type { Found } from "../ledger/find.ts";

/** Refuses to change a memory of Claude Code's auto memory, or of a team; `what` is the verb of the attempt. */
export function refuseForeign(
  { memory: { name, path }, folder }: Pick<Found, "folder"> & {
    readonly memory: Pick<Found["memory"], "name" | "path">;
  },
  what: string,
): void {
  if (folder.scope === "team") {
    const team = teamNameIn(path) ?? "TEAM";
    const id = noteIdIn(path) ?? "ID";
    throw new MemoError("usage", `Cannot ${what} \`${name}\`: it is the team's, and this a copy`, {
      hint: `Run \`memo team ${
        what === "forget" ? "retire" : "show"
      } ${id}\`; \`memo share MEMORY --to ${team} --change ${id}\` proposes another text`,
    });
  }
  if (folder.scope !== "auto") return;
  throw new MemoError(
    "usage",
    `Cannot ${what} \`${name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
    { hint: `Run \`memo add TEXT\` to keep a memory of your own, or change \`${path}\` yourself` },
  );
}
