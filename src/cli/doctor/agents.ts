import { statsOf } from "../../files/stats.ts";
import { AGENTS } from "../../install/agents/mod.ts";
import { readRecords } from "../../install/record.ts";
import { selfCommand } from "../../link/self.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Checks that the other agents that memo is installed for run its hooks: some wait for the person's trust, in silence. */
export function agents({ env, paths, receipts }: Patient): Finding {
  const installed = readRecords(paths.installs);
  const heard = new Set(receipts.map(({ session }) => session));
  const place = { env, paths };
  const own = AGENTS.flatMap((agent) => {
    const files = agent.files(place, selfCommand()).filter(({ path }) => installed[path]);
    const [since] = files.flatMap(({ path }) => statsOf(path)?.mtime ?? []);
    return since === undefined ? [] : [{ agent, since }];
  });
  for (const { agent, since } of own) {
    const later = agent.sessions?.(place).filter(({ at }) => at > since) ?? [];
    if (later.length > 0 && !later.some(({ id }) => heard.has(id))) {
      return warn(`${agent.label} does not run memo's hooks`, agent.next ?? "Install it again");
    }
  }
  return ok(own.length === 0 ? "none installed" : own.map(({ agent }) => agent.label).join(", "));
}
