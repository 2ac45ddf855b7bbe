import { MemoError } from "../../errors.ts";
import { isOfSession } from "../../core/link/session_env.ts";
import type { Env } from "../../paths.ts";

/** Whether a model runs a command, in Claude Code's shell. */
export function isModel(env: Env): boolean {
  return isOfSession(env);
}

/** Throws within Claude Code: what a person consents to, with a command, a model must not decide in their place. */
export function refuseModel(env: Env, what: string, command: string): void {
  if (!isModel(env)) return;
  throw new MemoError("usage", `Cannot ${what} from within Claude Code: only you can decide that`, {
    hint: `Run \`${command}\` in your own terminal`,
  });
}
