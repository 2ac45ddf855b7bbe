import { MemoError } from "../../errors.ts";
import type { CallContext } from "../calls/call.ts";

/** Throws on a page that was opened from within Claude Code: consent must come from a person, as in the commands. */
export function refuseModel({ env }: Pick<CallContext, "env">, what: string): void {
  if (env["CLAUDECODE"] !== "1") return;
  throw new MemoError("usage", `Cannot ${what} on a page opened from within Claude Code`, {
    hint: "Run `memo ui` in your own terminal",
  });
}
