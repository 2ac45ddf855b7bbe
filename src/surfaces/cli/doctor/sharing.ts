import { lastPoll, memberships, waitingIn } from "../../../features/team/mod.ts";
import { counted } from "../../../core/text/counted.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";
import { ageOf } from "../team/membership.ts";
import { readLast, repositoryIn } from "../../../features/sync/mod.ts";

/** Checks how the last sync has ended: one at the end of a session has nobody to tell. */
export function lastSync({ paths, env }: Patient): Finding {
  if (!repositoryIn(paths, env).exists()) return ok("not set up");
  const last = readLast(paths);
  if (last === undefined) return ok("not synced yet");
  if (last.error !== undefined) return warn(last.error, last.hint ?? "Run `memo sync`");
  const { heldBack = 0, withSecrets = 0 } = last;
  if (withSecrets > 0) {
    return warn(
      `${counted(withSecrets, "file")} with a secret not synced`,
      "Run `memo doctor --secrets --fix`",
    );
  }
  return heldBack === 0
    ? ok(`last at ${last.at}`)
    : warn(`${counted(heldBack, "file")} not synced`, "Run `memo sync` to see which, and why");
}

/** Checks how the last look at each team's server has ended: one in the background has nobody to tell. */
export function teams({ paths, now }: Patient): Finding {
  const all = memberships(paths);
  if (all.length === 0) return ok("none joined");
  for (const member of all) {
    const { read, failed } = lastPoll(member) ?? {};
    const age = read === undefined ? "never read" : `last read ${ageOf(read, now)}`;
    if (failed !== undefined) {
      return warn(`${failed.because} (${age})`, failed.hint ?? "Run `memo team sync`");
    }
    const waiting = waitingIn(member).length;
    if (waiting > 0) {
      return warn(
        `${counted(waiting, "proposal")} to \`${member.name}\` not sent yet`,
        "Run `memo team sync`",
      );
    }
  }
  return ok(all.map(({ name }) => name).join(", "));
}
