import { MemoError } from "../../../errors.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/**
 * Fetches the memories that the environment of a new container names: a team's (`MEMO_TEAM_URL`, `MEMO_TEAM_TOKEN`,
 * `MEMO_TEAM_AS`) and one's own (`MEMO_SYNC_REMOTE`). What cannot be had is said, and the set-up goes on.
 */
export async function fetchFromEnvironment(context: CliContext): Promise<void> {
  const { env } = context;
  if (!env["MEMO_TEAM_URL"] && !env["MEMO_SYNC_REMOTE"]) return;
  const sources = [
    async () => (await import("../team.ts")).joinFromEnvironment(context),
    async () => (await import("../sync.ts")).syncFromEnvironment(context),
  ];
  for (const fetch of sources) {
    try {
      const done = await fetch();
      if (done !== undefined) say(done);
    } catch (error) {
      if (!(error instanceof MemoError)) throw error;
      say(`warning: ${error.message}`);
      if (error.hint !== undefined) say(`hint: ${error.hint}`);
    }
  }
}
