import { existsSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { hostname } from "node:os";
import type { Command } from "commander";
import { readCursors } from "../../core/capture/cursor.ts";
import { followFolders } from "../../core/change/follow.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { offAt } from "../../core/memory/off.ts";
import { projectAt } from "../../core/memory/project.ts";
import { placeIn } from "../../core/memory/scopes.ts";
import { tilde } from "../../paths.ts";
import {
  type Loss,
  type LossDecision,
  placeOf,
  readLast,
  repositoryIn,
  sync,
  type SyncReport,
  writeLast,
} from "../../features/sync/mod.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { visible } from "../../core/text/neutralise.ts";
import { refuseModel } from "../../features/verbs/changed.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { configHere } from "./shared/config_here.ts";
import { confirm } from "./shared/confirm.ts";
import { counted } from "../../core/text/counted.ts";
import { out, outJson, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";

const REMOTE = "URL of a private git repository, empty or with another machine's memories";

interface SyncFlags {
  readonly anyway?: boolean;
  readonly yes?: boolean;
  readonly keep?: boolean;
  readonly squash?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `memo sync`: syncs the memories of one's own machines through a git repository. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--anyway", "Also send files that seem to contain a secret")
    .option("-y, --yes", "Apply deletions, even many at once")
    .option("--keep", "Restore the deleted memories instead")
    .option("--quiet", "Print only errors")
    .option("--json", "Print JSON")
    .action((flags: SyncFlags) => run(flags, context));
  command.command("init").description("Set the remote and sync for the first time")
    .argument("<remote>", REMOTE)
    .option("--anyway", "Also send files that seem to contain a secret")
    .action(async (remote: string, flags: SyncFlags) => {
      refuseModel(context.env, "take memories from a remote", "memo sync init REMOTE");
      await init(remote, context);
      await run(flags, context);
    });
  command.command("squash").description(
    "Sync, then drop the remote's history, so that erased memories are gone there too",
  )
    .action((flags: SyncFlags) => run({ ...flags, squash: true }, context));
  command.command("status").description("Show the remote and the result of the last sync")
    .action((flags: SyncFlags) => status(flags, context));
}

/** Syncs with the remote that the environment names, as a new container does; undefined if there is none to set. */
export async function syncFromEnvironment(context: CliContext): Promise<string | undefined> {
  const remote = context.env["MEMO_SYNC_REMOTE"];
  if (!remote || repositoryIn(context.paths, context.env).exists()) return undefined;
  await init(remote, context);
  await run({ quiet: true }, context);
  return "Synced your own memories";
}

async function init(remote: string, { paths, env, cwd }: CliContext): Promise<void> {
  if (remote.startsWith("-") || /^\s*$/.test(remote) || remote.includes("::")) {
    const message = `Cannot sync with \`${remote}\`: it is not the address of a remote`;
    throw new MemoError("usage", message, {
      hint:
        "Pass an address such as `git@example.com:you/memories.git`, or the path of a bare repository",
    });
  }
  const repository = repositoryIn(paths, env);
  const before = repository.exists() ? await repository.remote() : undefined;
  await repository.make(/^\.{0,2}\//.test(remote) ? resolve(cwd, remote) : remote);
  try {
    await repository.fetch();
  } catch (error) {
    if (before !== undefined) await repository.make(before);
    else rmSync(paths.sync, { recursive: true, force: true });
    throw error;
  }
}

async function run(flags: SyncFlags, context: CliContext): Promise<void> {
  const { quiet, json } = flags;
  const { paths } = context;
  const at = new Date().toISOString();
  let report: SyncReport;
  try {
    report = await syncHere(flags, context);
  } catch (error) {
    const hint = error instanceof MemoError ? error.hint : undefined;
    if (existsSync(paths.sync)) writeLast(paths, { at, error: messageOf(error), hint });
    throw error;
  }
  const { heldBack, stopped, changed, ...rest } = report;
  const error = stopped.length === 0 ? undefined : `Cannot sync: ${formatLosses(stopped, context)}`;
  const withSecrets = heldBack.filter(({ hasSecret }) => hasSecret).length;
  writeLast(paths, { at, error, hint: error && HINT, heldBack: heldBack.length, withSecrets });
  await followFolders(changed, surroundings(context));
  // A secret is held back on purpose; what cannot be read is a failure.
  if (heldBack.length > withSecrets || stopped.length > 0) process.exitCode = 1;
  if (error !== undefined && !json) {
    say(`error: ${error}`);
    say(`\nhint: ${HINT}`);
  }
  if (json) {
    const conflicts = rest.conflicts.map(({ relativePath: way, ...note }) => ({ way, ...note }));
    const folders = changed.map(({ folder }) => folder.path);
    outJson({ ...rest, heldBack, stopped, conflicts, folders });
  } else if (!quiet) printReport(report, context);
}

/** Other files need it too: the log of changes has the names of memories. */
const SECRETS_HINT =
  "Run `memo doctor --secrets --fix` to redact the secrets, or `memo sync --anyway` to send them";
const HINT = "Run `memo sync --yes` to archive them, `memo sync --keep` to restore them";

async function syncHere(
  { anyway, yes, keep, squash, quiet }: SyncFlags,
  context: CliContext,
): Promise<SyncReport> {
  using bar = progressBar("Syncing");
  const decide = async (losses: readonly Loss[]): Promise<LossDecision> => {
    if (keep) return "keep";
    if (yes) return "delete";
    if (quiet || !process.stdin.isTTY) return "stop";
    bar.stop();
    const question = `${formatLosses(losses, context)}. Archive them?`;
    return await confirm(visible(question)) ? "delete" : "stop";
  };
  const { paths, env } = context;
  return await sync({
    ...{ paths, env, now: new Date(), roots: rootsHere(context), machine: hostname(), decide },
    ...{ squash: squash ?? false, anyway: anyway ?? false },
    patterns: ownPatterns(configHere(context)["redact.patterns"]),
    onProgress: (done, total) => quiet || bar.update(done, total),
  });
}

function formatLosses(losses: readonly Loss[], { env }: CliContext): string {
  return losses.map(({ from, folder, gone, total }) => {
    const count = `${gone.length} of ${total} memories in \`${tilde(folder, env)}\``;
    return from === "other machines"
      ? `${count} were deleted since the last sync`
      : `another machine deleted ${count}`;
  }).join("; ");
}

/** The projects of this machine that memo has seen, with memories or without. */
function rootsHere({ paths, place }: CliContext): string[] {
  const others = readCursors(paths.capture)
    .map(({ cwd, projectDir = cwd }) => placeIn(paths, cwd, projectDir));
  const on = [place, ...others].filter((each) => offAt(each) === undefined);
  return [...new Set(on.flatMap((each) => projectAt(each)?.root ?? []))];
}

function printReport(
  { sent, received, conflicts, heldBack, waiting, stopped }: SyncReport,
  { env }: CliContext,
): void {
  for (const { relativePath, because, kept } of conflicts) {
    const other = kept === undefined ? "" : `; the other version is \`${placeOf(kept).rest}\``;
    say(visible(`\`${basename(relativePath)}\`: ${because}${other}`));
  }
  if (conflicts.some(({ kept }) => kept !== undefined)) {
    say("hint: Run `memo undo --archived NAME` for the other version, `memo undo NAME` to go back");
  }
  for (const { path, because } of heldBack) {
    say(visible(`not synced: \`${tilde(path, env)}\`: ${because}`));
  }
  if (heldBack.some(({ hasSecret }) => hasSecret)) say(`hint: ${SECRETS_HINT}`);
  if (stopped.length > 0) return;
  if (waiting.length > 0) {
    const names = visible(waiting.join(", "));
    say(`Not on this machine: ${names}; run \`memo sync\` there to get their memories`);
  }
  say(`Sent ${counted(sent, "file")}, received ${counted(received, "file")}`);
}

async function status({ json }: SyncFlags, { paths, env }: CliContext): Promise<void> {
  const repository = repositoryIn(paths, env);
  const remote = repository.exists() ? await repository.remote() : undefined;
  const last = readLast(paths);
  if (json) return outJson({ remote: remote ?? null, last: last ?? null });
  if (remote === undefined) {
    say("No remote is set");
    return say("hint: Run `memo sync init REMOTE` with the address of a private repository");
  }
  out(visible(remote.replace(/\/\/[^/@]*@/, "//")) + "\n");
  if (last === undefined) return say("Not synced yet");
  const { at, error, heldBack = 0, withSecrets = 0 } = last;
  const hint = last.hint ?? (withSecrets > 0 ? SECRETS_HINT : undefined);
  const ended = error ?? (heldBack > 0 ? `without ${counted(heldBack, "file")}` : "ok");
  say(`Last sync: ${at}, ${ended}`);
  if (hint !== undefined) say(`hint: ${hint}`);
}
