import { MemoError } from "../errors.ts";
import type { Found } from "../memory/find.ts";

/** Refuses to change a memory of Claude Code's auto memory; `what` is the verb of the attempt. */
export function refuseAuto({ memory: { name, path }, folder }: Found, what: string): void {
  if (folder.scope !== "auto") return;
  throw new MemoError(
    "usage",
    `Cannot ${what} \`${name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
    { hint: `Run \`memo add TEXT\` to keep a memory of your own, or change \`${path}\` yourself` },
  );
}
