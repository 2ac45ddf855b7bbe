import { basename } from "node:path";
import type { Command } from "commander";
import type { MemoryFolder } from "../memory/memory.ts";
import { recordedRoot } from "../memory/project.ts";
import { userFolder } from "../memory/scopes.ts";
import { writeIndexFile } from "../memory/index_file.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import { migrate, type Migration, type Move, planMigration } from "../upkeep/migrate.ts";
import { lastChange, undo } from "../upkeep/snapshot.ts";
import { tellDaemon } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { counted } from "./doctor/check.ts";
import { withEngine } from "./local.ts";
import { columns, out, outJson, say } from "./output.ts";

interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

/** `memo migrate`: sorts the notes that an older memo kept in one place by project. */
export function define(command: Command, context: CliContext): void {
  command
    .option("--dry-run", "Show the moves without making them")
    .option("--undo", "Undo the last migration")
    .option("--json", "Print JSON: {moves, unknown}")
    .action(async (options: MigrateOptions) => {
      if (options.undo) return await takeBack(options, context);
      const plan = planMigration(context.paths, context.cwd);
      if (options.json) outJson({ moves: plan.moves.map(toJson), unknown: plan.unknown });
      else report(plan, options, context);
      if (options.dryRun || plan.moves.length === 0) return;
      await migrate(plan, context.paths, new Date());
      await follow([...new Set(plan.moves.map(({ folder }) => folder))], context);
      if (!options.json) say("Run `memo migrate --undo` to undo");
    });
}

function report(
  { moves, unknown }: Migration,
  { dryRun }: MigrateOptions,
  { env }: CliContext,
): void {
  out(columns(moves.map(({ kind, name, anchors, folder }) => [
    kind,
    visible(name) +
    (anchors === undefined ? "" : ` (${counted(anchors.length, "entry", "entries")})`),
    `to ${projectName(folder)}`,
  ])));
  for (const path of unknown) {
    say(`\`${tilde(path, env)}\` stays: no session says which project it is about`);
  }
  if (moves.length === 0) say("Nothing to migrate");
  else if (dryRun) say(`Run \`memo migrate\` to move ${counted(moves.length, "file")}`);
}

function projectName({ project }: MemoryFolder): string {
  return `\`${visible(basename(project ?? ""))}\``;
}

function toJson({ kind, name, from, to, folder: { project }, anchors }: Move) {
  return { kind, name, from, to, project, ...(anchors && { entries: anchors.length }) };
}

async function takeBack({ json }: MigrateOptions, context: CliContext): Promise<void> {
  const { paths, env } = context;
  const last = lastChange(paths.migrations);
  if (last === undefined) {
    say("No migration to undo");
    process.exitCode = 1;
    return;
  }
  const changed = undo(last);
  await follow([], context);
  if (json) return outJson({ at: last.at, changed });
  say(`Undid the migration of ${last.at}`);
  for (const path of changed) {
    say(`warning: \`${tilde(path, env)}\` has changed since; not moved back`);
  }
}

/** Updates the index files and the index after a move. */
async function follow(folders: readonly MemoryFolder[], context: CliContext): Promise<void> {
  const touched = [userFolder(context.paths), ...folders.filter(({ path }) => recordedRoot(path))];
  for (const folder of touched) writeIndexFile(folder);
  await withEngine(context, async (engine) => {
    for (const folder of touched) await engine.sync(folder);
  });
  await tellDaemon(context);
}
