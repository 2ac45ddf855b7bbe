import type { Command } from "commander";
import { MemoError, messageOf } from "../../errors.ts";
import { tilde } from "../../paths.ts";
import {
  type Check,
  type Examination,
  fail,
  type Finding,
  hintOf,
  patientOf,
} from "./doctor/check.ts";
import * as model from "./doctor/language_model.ts";
import * as memories from "./doctor/memories.ts";
import * as setup from "./doctor/setup.ts";
import type { CliContext } from "./shared/command.ts";
import { columns, out, outJson, paint } from "./shared/output.ts";
import { type Progress, progressBar } from "./shared/progress.ts";

/** `memo doctor`: checks every part of memo and suggests fixes. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--offline", "Do not contact the language model")
    .option("--deep", "Ask the language model a question (costs a little)")
    .option("--secrets", "Find secrets in memories, journals, archives, receipts and logs")
    .option("--fix", "With `--secrets`: redact them, keeping no copy")
    .option("--moved <old>", "Move this project's memories here from its old path")
    .action(async (options: DoctorOptions) => {
      if (options.moved !== undefined) {
        const { followMove } = await import("./doctor/moved.ts"); // loads the index
        return await followMove(options.moved, options, context);
      }
      if (options.secrets) return await lookForSecrets(context, options);
      if (options.fix) {
        throw new MemoError("usage", "Cannot fix without `--secrets`", {
          hint: "Run `memo doctor --secrets --fix`",
        });
      }
      using bar = progressBar("Checking");
      const findings = await examine(context, options, bar.update);
      bar.stop();
      if (options.json) outJson(findings);
      else {
        out(columns(
          byCause(findings).map(({ name, status, detail, fix }) => [
            paint(MARKS[status][0], MARKS[status][1]),
            name,
            fix === undefined ? detail : `${detail}. ${fix}`,
          ]),
        ));
      }
      if (findings.some(({ status }) => status === "fail")) process.exitCode = 1;
    });
}

interface DoctorOptions extends Examination {
  readonly secrets?: boolean;
  readonly fix?: boolean;
  readonly moved?: string;
  readonly json?: boolean;
}

async function lookForSecrets(context: CliContext, options: DoctorOptions): Promise<void> {
  const { findLeaks } = await import("./doctor/secrets.ts"); // its rules are slow to load
  const leaks = await findLeaks(context, options.fix ?? false);
  if (options.json) outJson(leaks);
  else if (leaks.length === 0) out("No secrets found\n");
  else {
    out(columns(leaks.map(({ path, found, state }) => [
      paint(state === "removed" ? "green" : "yellow", state),
      tilde(path, context.env),
      Object.entries(found).map(([kind, count]) => `${kind} ${count}`).join(", "),
    ])));
    out(
      options.fix
        ? "Change the secrets themselves, then run `memo index --rebuild` to clear the index of them\n"
        : "Run `memo doctor --secrets --fix` to redact them; no copy is kept\n",
    );
  }
  if (leaks.some(({ state }) => state !== "removed")) process.exitCode = 1;
}

/** Runs every check; one that throws has failed for the reason in the error. */
export async function examine(
  context: CliContext,
  options: Examination,
  onProgress: Progress["update"] = () => {},
): Promise<DoctorRow[]> {
  const patient = patientOf(context, options), all = Object.entries(CHECKS);
  const rows: DoctorRow[] = [];
  try {
    for (const [name, check] of all) {
      onProgress(rows.length, all.length);
      const found = await Promise.try(check, patient).catch((error) =>
        fail(messageOf(error), fixOf(error))
      );
      rows.push({ name, ...typeof found === "string" ? { status: "ok", detail: found } : found });
    }
    return rows;
  } finally {
    await patient.close();
  }
}

/** A finding with the name of its check. */
type DoctorRow = Finding & { readonly name: string };

function fixOf(error: unknown): string {
  const hint = hintOf(error as MemoError) ?? "Run `memo daemon logs` for details";
  return hint.startsWith("memo ") ? `Run \`${hint}\`` : hint;
}

/** The findings with one cause as one: an index that cannot be opened fails all that read it. */
function byCause(rows: readonly DoctorRow[]): DoctorRow[] {
  const causes = Map.groupBy(
    rows,
    ({ name, detail, fix }) => fix === undefined ? name : `${detail}\n${fix}`,
  );
  return [...causes.values()].map(([first, ...others]) => {
    const also = others.map(({ name }) => name).join(", ");
    return { ...first!, detail: first!.detail + (also === "" ? "" : ` (also: ${also})`) };
  });
}

const MARKS = { ok: ["green", "ok"], warn: ["yellow", "warn"], fail: ["red", "FAIL"] } as const;

/** All checks, in the order in which a prompt passes through memo. */
export const CHECKS: Readonly<Record<string, Check>> = {
  "executable": setup.executable,
  "state folder": setup.stateFolder,
  "settings": setup.settings,
  "folder": setup.folder,
  "Claude Code": setup.claudeCode,
  "Claude Code settings": setup.claudeSettings,
  "auto memory": setup.claudeAutoMemory,
  "hooks": setup.hooks,
  "MCP server": setup.mcpServer,
  "agents": setup.agents,
  "daemon": memories.daemon,
  "embedding model": memories.model,
  "index": memories.index,
  "memory files": memories.memoryFiles,
  "moved projects": memories.movedProjects,
  "trust": memories.trust,
  "captured memories": memories.capturedMemories,
  "contradictions": memories.contradictions,
  "prompts": model.prompts,
  "delivery": model.delivery,
  "sent": model.sent,
  "language model": model.provider,
  "spending": model.spending,
  "capture": model.captureQueue,
  "sync": memories.lastSync,
  "teams": memories.teams,
};
