import { lastPoll, memberships, waitingIn } from "../../../features/team/mod.ts";
import { counted } from "../../../core/text/counted.ts";
import { ageOf } from "../team/membership.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

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
