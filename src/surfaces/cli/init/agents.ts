import { Option } from "commander";
import { agentNamed, AGENTS } from "../../../features/install/agents/mod.ts";
import { changeAgent } from "../../../features/install/agents/change.ts";
import { type Agent, GIFTS } from "../../../features/install/agents/agent.ts";
import { diffOf } from "../../../features/install/diff.ts";
import type { FileChange } from "../../../features/install/install.ts";
import { readRecords } from "../../../features/install/record.ts";
import { refuseRunner } from "../../../features/install/runner.ts";
import { tilde } from "../../../paths.ts";
import { selfCommand } from "../../../core/link/self.ts";
import { type CliContext, programOf } from "../shared/command.ts";
import { out, outJson, say } from "../shared/output.ts";

/** What `memo init --agent` and `memo uninstall --agent` were asked for. */
export interface AgentFlags {
  readonly agent: string;
  readonly isWanted: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `--agent`, as install and uninstall take it. */
export function agentOption(): Option {
  return new Option("--agent <name>", "Another agent than Claude Code")
    .choices(AGENTS.map(({ name }) => name));
}

/** Puts memo into another agent's settings, or takes it out, and says what was done. */
export async function changeOtherAgent(context: CliContext, flags: AgentFlags): Promise<void> {
  const { isWanted, dryRun, json } = flags;
  const agent = agentNamed(flags.agent)!; // commander has checked it
  const self = isWanted ? programOf(context) : selfCommand();
  if (isWanted) refuseRunner(self.command);
  const changes = await changeAgent(context, agent, { isWanted, dryRun, self });
  const changed = changes.some(({ before, after }) => before !== after);
  if (json) {
    const files = changes.map(({ path, before, after }) => ({ path, changed: before !== after }));
    return outJson({ agent: agent.name, dryRun, changed, files });
  }
  if (dryRun) {
    out(
      changes.map((each) => diffOf(each, tilde(each.path, context.env))).join("") || "No changes\n",
    );
    return;
  }
  report(agent, { changes, isWanted, context });
  for (const { path } of changes.filter(({ isTaken }) => isTaken)) {
    const file = tilde(path, context.env);
    say(`warning: \`${file}\` has another MCP server called \`memo\`; memo's was left out`);
  }
}

function report(
  agent: Agent,
  { changes, isWanted, context }: {
    readonly changes: readonly FileChange[];
    readonly isWanted: boolean;
    readonly context: CliContext;
  },
): void {
  const changed = changes.filter(({ before, after }) => before !== after);
  if (changed.length === 0) {
    return out(`memo is ${isWanted ? "already" : "not"} installed in ${agent.label}\n`);
  }
  for (const { path, after } of changed) {
    out(`${after === undefined ? "Deleted" : "Changed"} \`${tilde(path, context.env)}\`\n`);
  }
  if (!isWanted) return;
  say(`${agent.label} now gets: ${agent.gives.map((gift) => GIFTS[gift]).join(", ")}`);
  if (agent.next !== undefined) say(agent.next);
  say(`Run \`memo uninstall --agent ${agent.name}\` to undo it`);
}

/** Takes memo out of every other agent that it was put into; returns the files that this changed. */
export async function leaveOtherAgents(context: CliContext): Promise<string[]> {
  const self = selfCommand();
  const records = readRecords(context.paths.installs);
  const left: string[] = [];
  for (const agent of AGENTS) {
    const isThere = agent.files(context, self).some(({ path }) => records[path] !== undefined);
    if (!isThere) continue;
    const changes = await changeAgent(context, agent, { isWanted: false, dryRun: false, self });
    left.push(...changes.filter(({ before, after }) => before !== after).map(({ path }) => path));
  }
  return left;
}
