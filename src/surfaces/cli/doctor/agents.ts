import { readCursors } from "../../../core/capture/cursor.ts";
import { statsOf } from "../../../core/files/there.ts";
import type { Agent } from "../../../features/install/agents/mod.ts";
import { AGENTS } from "../../../features/install/agents/mod.ts";
import { readRecords } from "../../../features/install/record.ts";
import { selfCommand } from "../../../core/link/self.ts";
import { localTime } from "../../../core/text/counted.ts";
import { clientOf } from "../../../core/transcript/find.ts";
import { transcriptStats } from "../../../core/transcript/lines.ts";
import { type Finding, ok, type Patient, warn } from "./check.ts";

/** Checks that the other agents that memo is installed for run its hooks: some wait for the person's trust, in silence. */
export function agents(patient: Patient): Finding {
  const heard = new Set(patient.receipts.map(({ session }) => session));
  const own = installedAgents(patient);
  for (const { agent, since } of own) {
    const later = agent.sessions?.(patient).filter(({ at }) => at > since) ?? [];
    if (later.length > 0 && !later.some(({ id }) => heard.has(id))) {
      return warn(`${agent.label} does not run memo's hooks`, agent.next ?? "Install it again");
    }
  }
  return ok(
    own.length === 0
      ? "none installed"
      : own.map(({ agent }) => stateOf(agent, patient)).join("; "),
  );
}

/** The other agents that memo is installed for, and since when. */
export function installedAgents(patient: Patient) {
  const installed = readRecords(patient.paths.installs);
  return AGENTS.flatMap((agent) => {
    const files = agent.files(patient, selfCommand()).filter(({ path }) => installed[path]);
    const [since] = files.flatMap(({ path }) => statsOf(path)?.mtime ?? []);
    return since === undefined ? [] : [{ agent, since }];
  });
}

/** When an agent's last event was answered, the last block went to it, and its last conversation was captured. */
function stateOf({ name, label }: Agent, { paths, receipts }: Patient): string {
  const isIts = ({ transcript }: { readonly transcript?: string | undefined }) =>
    transcript !== undefined && clientOf(transcript, paths.home) === name;
  const its = receipts.filter(isIts);
  const captured = readCursors(paths.capture).filter(isIts).filter(({ turns }) => turns.length > 0)
    .map(({ transcript }) => transcriptStats(transcript)?.mtimeMs ?? 0);
  const times = [
    ["heard", its[0]?.at],
    ["last block", its.find(({ chars }) => chars > 0)?.at],
    ["last captured", captured.length === 0 ? undefined : Math.max(...captured)],
  ] as const;
  const said = times.flatMap(([what, at]) => {
    if (at === undefined) return [];
    const { day, time } = localTime(new Date(at));
    return [`${what} ${day} ${time}`];
  });
  return said.length === 0 ? label : `${label} (${said.join(", ")})`;
}
