import { MemoError } from "../errors.ts";
import type { Env } from "../paths.ts";

/** Throws within Claude Code: what a person consents to, a model must not decide in their place. */
export function refuseModel(env: Env, what: string): void {
  if (env["CLAUDECODE"] !== "1") return;
  throw new MemoError("usage", `Cannot ${what} from within Claude Code: only you can decide that`, {
    hint: "Run it in your own terminal",
  });
}
