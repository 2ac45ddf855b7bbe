import type { Command } from "commander";
import { STRATEGIES } from "../../../strategies/mod.ts";
import { loadConfig } from "../../core/settings/config.ts";
import { claudeVersion } from "./shared/claude_version.ts";
import type { Engine } from "../../core/engine/engine.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { openLog } from "../../core/files/log.ts";
import { tilde } from "../../paths.ts";
import { readMemories } from "../../core/memory/list.ts";
import { memoryFolders, projectSettings } from "../../core/memory/scopes.ts";
import { readReceipts } from "../../core/recall/receipts.ts";
import type { CliContext } from "./shared/command.ts";
import type { Check, Finding, Patient } from "./doctor/check.ts";
import { type Progress, progressBar } from "./shared/progress.ts";
import { columns, out, outJson, paint } from "./shared/output.ts";
import { agents } from "./doctor/agents.ts";
import { capturedMemories, captureQueue } from "./doctor/capture.ts";
import {
  claudeAutoMemory,
  claudeCode,
  claudeSettings,
  hooks,
  mcpServer,
} from "./doctor/claude_code.ts";
import { provider, sent, spending } from "./doctor/language_model.ts";
import { executable, settings, stateFolder } from "./doctor/place.ts";
import { contradictions, trust } from "./doctor/memories.ts";
import { lastSync, teams } from "./doctor/sharing.ts";
import { code, daemon, delivery, index, memoryFiles, model, prompts } from "./doctor/recall.ts";

/** Number of receipts that the checks read. */
const RECEIPTS = 50;

/** `memo doctor`: checks every part of memo and suggests fixes. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--offline", "Do not contact the language model's server")
    .option("--deep", "Ask the language model a question, which costs a little")
    .option("--secrets", "Find secrets in memories, journals, archives, receipts and logs")
    .option("--fix", "With --secrets: redact them; no copy is kept")
    .option("--moved <old>", "This project was at another path: take its memories over from there")
    .option("--json", "Print JSON")
    .action(async (options: Options) => {
      if (options.moved !== undefined) {
        const { followMove } = await import("./doctor/moved.ts"); // loads the index
        return await followMove(options.moved, options, context);
      }
      if (options.secrets) return await lookForSecrets(context, options);
      if (options.fix) throw usage();
      using bar = progressBar("Checking");
      const findings = await examine(context, { ...options, onProgress: bar.update });
      bar.stop();
      if (options.json) outJson(findings);
      else out(columns(byCause(findings).map(row)));
      if (findings.some(({ status }) => status === "fail")) process.exitCode = 1;
    });
}

interface Options {
  readonly offline?: boolean;
  readonly deep?: boolean;
  readonly secrets?: boolean;
  readonly fix?: boolean;
  readonly moved?: string;
  readonly json?: boolean;
}

function usage(): MemoError {
  return new MemoError("usage", "Cannot fix without `--secrets`", {
    hint: "Run `memo doctor --secrets --fix`",
  });
}

async function lookForSecrets(context: CliContext, options: Options): Promise<void> {
  const { paths, env } = context;
  const { findLeaks } = await import("./doctor/secrets.ts"); // its rules are slow to load
  const config = loadConfig(paths.config, env, { strategies: STRATEGIES });
  const leaks = await findLeaks({ ...context, config, fix: options.fix ?? false });
  if (options.json) outJson(leaks);
  else if (leaks.length === 0) out("No secrets found\n");
  else {
    out(columns(leaks.map(({ path, found, state }) => [
      paint(state === "removed" ? "green" : "yellow", state),
      tilde(path, env),
      Object.entries(found).map(([kind, count]) => `${kind} ${count}`).join(", "),
    ])));
    out(
      options.fix
        ? "Change them where they are valid, and run `memo index --rebuild` to make the index anew\n"
        : "Run `memo doctor --secrets --fix` to redact them; no copy is kept\n",
    );
  }
  if (leaks.some(({ state }) => state !== "removed")) process.exitCode = 1;
}

/** Runs every check. */
export async function examine(
  context: CliContext,
  { offline = false, local = false, deep = false, onProgress = () => {} }:
    & Pick<Options, "offline" | "deep">
    & Partial<Pick<Patient, "local">>
    & { readonly onProgress?: Progress["update"] },
): Promise<(Finding & Named)[]> {
  const { paths, env, place } = context;
  const folders = memoryFolders(place);
  let opened: Promise<Engine> | undefined;
  let client: Promise<string | undefined> | undefined;
  let listings: ReturnType<Patient["listings"]> | undefined;
  const open = async () => {
    // The index needs native libraries on disk; the other checks run even if they cannot be loaded.
    const { Engine } = await import("../../core/engine/engine.ts");
    const engine = new Engine({ paths, env, log: openLog(paths.logs), background: false });
    const behind = folders.filter((folder) => !folder.known?.isCurrent(folder));
    await Promise.all(behind.map((folder) => engine.sync(folder)));
    return engine;
  };
  const patient: Patient = {
    ...context,
    config: loadConfig(paths.config, env, {
      project: projectSettings(place),
      strategies: STRATEGIES,
    }),
    now: new Date(),
    offline,
    local,
    deep,
    receipts: readReceipts(paths.receipts, RECEIPTS),
    listings: () => listings ??= folders.map((folder) => ({ folder, ...readMemories(folder) })),
    client: () => client ??= claudeVersion(context),
    async open() {
      return { engine: await (opened ??= open()), folders };
    },
  };
  try {
    const findings: (Finding & Named)[] = [];
    for (const check of CHECKS) {
      onProgress(findings.length, CHECKS.length);
      findings.push(await run(check, patient));
    }
    return findings;
  } finally {
    await opened?.then((engine) => engine.close(), () => {});
  }
}

type Named = Pick<Check, "name">;

/** Runs a check; one that throws has failed for the reason in the error. */
async function run({ name, run }: Check, patient: Patient): Promise<Finding & Named> {
  try {
    return { name, ...await run(patient) };
  } catch (error) {
    return { name, status: "fail", detail: messageOf(error), fix: fixOf(error) };
  }
}

/** The hint of an error, unless it points back to `memo doctor`. */
function fixOf(error: unknown): string {
  const hint = error instanceof MemoError
    ? error.hint?.replace(/, then run `memo doctor`$/, "")
    : undefined;
  if (hint === undefined || hint.includes("memo doctor")) {
    return "Run `memo daemon logs` for details";
  }
  return hint.startsWith("memo ") ? `Run \`${hint}\`` : hint;
}

/** The findings with one cause as one: an index that cannot be opened fails all that read it. */
function byCause(findings: readonly (Finding & Named)[]): (Finding & Named)[] {
  const causes = Map.groupBy(
    findings,
    ({ name, detail, fix }) => fix === undefined ? name : `${detail}\n${fix}`,
  );
  return [...causes.values()].map(([first, ...others]) => {
    const names = others.map(({ name }) => name).join(", ");
    return names === "" ? first! : { ...first!, detail: `${first!.detail} (also: ${names})` };
  });
}

const MARKS = { ok: ["green", "ok"], warn: ["yellow", "warn"], fail: ["red", "FAIL"] } as const;

function row({ name, status, detail, fix }: Finding & Named): string[] {
  const [colour, mark] = MARKS[status];
  return [paint(colour, mark), name, fix === undefined ? detail : `${detail}. ${fix}`];
}

/** All checks, in the order in which a prompt passes through memo. */
export const CHECKS: readonly Check[] = [
  { name: "executable", run: executable },
  { name: "state folder", run: stateFolder },
  { name: "settings", run: settings },
  { name: "Claude Code", run: claudeCode },
  { name: "Claude Code settings", run: claudeSettings },
  { name: "auto memory", run: claudeAutoMemory },
  { name: "hooks", run: hooks },
  { name: "MCP server", run: mcpServer },
  { name: "agents", run: agents },
  { name: "daemon", run: daemon },
  { name: "embedding model", run: model },
  { name: "index", run: index },
  { name: "memory files", run: memoryFiles },
  { name: "code", run: code },
  { name: "trust", run: trust },
  { name: "captured memories", run: capturedMemories },
  { name: "contradictions", run: contradictions },
  { name: "prompts", run: prompts },
  { name: "delivery", run: delivery },
  { name: "sent", run: sent },
  { name: "language model", run: provider },
  { name: "spending", run: spending },
  { name: "capture", run: captureQueue },
  { name: "sync", run: lastSync },
  { name: "teams", run: teams },
];
