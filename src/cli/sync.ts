import { rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { hostname } from "node:os";
import type { Command } from "commander";
import { readCursors } from "../capture/cursor.ts";
import { MemoError } from "../errors.ts";
import { projectAt } from "../memory/project.ts";
import { placeIn } from "../memory/scopes.ts";
import { tilde } from "../paths.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { placeOf } from "../sync/merge_trees.ts";
import { repositoryIn, sync, type SyncReport } from "../sync/sync.ts";
import { visible } from "../text/neutralise.ts";
import { tellDaemon } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { configHere } from "./config.ts";
import { counted } from "./doctor/check.ts";
import { out, outJson, say } from "./output.ts";
import { progressBar } from "./progress.ts";

interface SyncFlags {
  readonly anyway?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `memo sync`: syncs the memories of one's own machines through a git repository. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--anyway", "Send files that seem to contain a secret, too")
    .option("--quiet", "Print nothing but errors")
    .option("--json", "Print JSON")
    .action((flags: SyncFlags) => run(flags, context));
  command.command("init").description("Set the remote, and sync for the first time")
    .argument(
      "<remote>",
      "Address of a private git repository, empty or with another machine's memories",
    )
    .option("--anyway", "Send files that seem to contain a secret, too")
    .option("--json", "Print JSON")
    .action(async (remote: string, flags: SyncFlags) => {
      await init(remote, context);
      await run(flags, context);
    });
  command.command("status").description("Show the remote")
    .option("--json", "Print JSON")
    .action((flags: SyncFlags) => status(flags, context));
}

async function init(remote: string, { paths, env, cwd }: CliContext): Promise<void> {
  if (remote.startsWith("-") || /^\s*$/.test(remote) || remote.includes("::")) {
    throw new MemoError(
      "usage",
      `Cannot sync with \`${remote}\`: it is not the address of a remote`,
      {
        hint:
          "Pass one such as `git@example.com:you/memories.git`, or the path of a bare repository",
      },
    );
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

async function run({ anyway, quiet, json }: SyncFlags, context: CliContext): Promise<void> {
  const { paths, env, cwd } = context;
  const bar = progressBar("Syncing");
  const report = await sync({
    onProgress: (done, total) => quiet || bar.update(done, total),
    paths,
    env,
    now: new Date(),
    patterns: ownPatterns(configHere(context)["redact.patterns"]),
    roots: rootsHere(context),
    machine: hostname(),
    ...anyway !== undefined && { anyway },
  }).finally(() => bar.stop());
  if (report.folders.length > 0) await tellDaemon({ ...context, cwd });
  if (report.heldBack.length > 0) process.exitCode = 1;
  if (json) return outJson({ ...report, folders: report.folders.map(({ path }) => path) });
  if (!quiet) sayReport(report, context);
}

/** The projects of this machine that memo has seen, with memories or without. */
function rootsHere({ paths, cwd }: CliContext): string[] {
  const places = [
    placeIn(paths, cwd),
    ...readCursors(paths.capture).map((cursor) =>
      placeIn(paths, cursor.cwd, cursor.projectDir ?? cursor.cwd)
    ),
  ];
  return [...new Set(places.flatMap((place) => projectAt(place)?.root ?? []))];
}

function sayReport(
  { sent, received, conflicts, heldBack, waiting }: SyncReport,
  { env }: CliContext,
): void {
  for (const { way, because, kept } of conflicts) {
    const other = kept === undefined ? "" : `; the other version is \`${placeOf(kept).rest}\``;
    say(visible(`\`${basename(way)}\`: ${because}${other}`));
  }
  for (const { path, because } of heldBack) {
    say(visible(`not synced: \`${tilde(path, env)}\`: ${because}`));
  }
  if (heldBack.some(({ because }) => because.includes("secret"))) {
    say("hint: Take the secrets out with `memo edit`, or send them with `memo sync --anyway`");
  }
  if (waiting.length > 0) {
    say(
      visible(
        `Not on this machine: ${waiting.join(", ")}; run \`memo sync\` in them to get theirs`,
      ),
    );
  }
  say(`Sent ${counted(sent, "file")}, received ${counted(received, "file")}`);
}

async function status({ json }: SyncFlags, { paths, env }: CliContext): Promise<void> {
  const repository = repositoryIn(paths, env);
  const remote = repository.exists() ? await repository.remote() : undefined;
  if (json) return outJson({ remote: remote ?? null });
  if (remote === undefined) {
    say("No remote is set");
    say("hint: Run `memo sync init REMOTE` with the address of a private repository");
  } else out(visible(remote.replace(/\/\/[^/@]*@/, "//")) + "\n");
}
