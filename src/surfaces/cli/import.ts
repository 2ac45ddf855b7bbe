import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { folderForNew } from "../../core/change/change.ts";
import {
  applyImport,
  findImportable,
  type Importable,
  type ImportPlace,
  type ImportPlan,
  type ImportSource,
  kindOf,
  OWN_SOURCES,
  placesThatAre,
  planImport,
  readPlaces,
  recognise,
  type Skipped,
  sourceNamed,
  SOURCES,
  type Written,
} from "../../features/import/mod.ts";
import { diffOf } from "./init/install.ts";
import { markOf } from "../../core/memory/provenance.ts";
import { serializeMemory } from "../../core/memory/file.ts";
import type { OwnScope, Scope } from "../../core/memory/memory.ts";
import { projectAt } from "../../core/memory/project.ts";
import { privateFolder, sharedFolders, userFolder, withKnown } from "../../core/memory/scopes.ts";
import { fileName } from "../../core/memory/title.ts";
import { MemoError } from "../../errors.ts";
import { tilde } from "../../paths.ts";
import { shellQuoted } from "../../core/text/shell_words.ts";
import { ownPatterns } from "../../core/redact/mod.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { kindColumns } from "./shared/describe.ts";
import { configHere } from "./config.ts";
import { counted } from "../../core/text/counted.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";
import { visible } from "../../core/text/neutralise.ts";
import { confirm, type CostlyFlags } from "./shared/confirm.ts";
import { importExport, ownFiles } from "./import/memo.ts";
import { printCounts, printMarked, printScopes, printSkipped } from "./import/report.ts";
import { dropConversations, importConversation } from "./import/conversation.ts";
import { importConversations } from "./import/conversations.ts";

/** The options of `memo import`. */
export interface ImportOptions extends CostlyFlags {
  readonly diff?: boolean;
  readonly type?: string;
  readonly scope?: OwnScope;
  readonly overwrite?: boolean;
  readonly last?: string;
  readonly all?: boolean;
  readonly again?: boolean;
  readonly drop?: boolean;
}

/** `memo import`: takes over the memories of another tool, or shows what there is to take over. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[source]", `Where from: ${NAMES.join(", ")}; or a path, which is recognised`)
    .argument("[path]", "Its file or folder (default: where that tool keeps it)")
    .option("--dry-run", "Show what would be imported")
    .option("--diff", "Show the files, too, line by line")
    .option("-t, --type <type>", "Type for all of them (default: by the source)")
    .addOption(
      new Option("--scope <scope>", "Where all of them apply (default: by the source)")
        .choices(["user", "project", "shared"]),
    )
    .option("--overwrite", "Overwrite memories that were edited or archived, or are newer here")
    .option("--last <time>", "With `conversations`: how far back (`12h`, `30d`, `8w`)", "30d")
    .option("--all", "With `conversations` or `claude-mem`: of all projects")
    .option("--again", "With `conversations FILE`: all its turns, also those captured before")
    .option(
      "--drop",
      "With `conversations`: remove FILE from the capture queue, or all that have failed",
    )
    .option("-y, --yes", "Do not ask")
    .option("--json", "Print JSON")
    .addHelpText("after", () => `\nSources:\n${columns(sourceRows())}`)
    .action(
      async (given: string | undefined, at: string | undefined, options: ImportOptions) => {
        if (given === undefined) return await list(options, context);
        const { name, path } = await meant(given, at, context);
        if (name === "conversations") {
          if (options.drop) return await dropConversations(path, options, context);
          if (path !== undefined) return await importConversation(path, options, context);
          return await importConversations(options, context);
        }
        if (name === "memo") {
          return await importExport(path, options, { context, place: placeOf(context) });
        }
        await importRecords(sourceNamed(name), path, { options, context });
      },
    );
}

const NAMES = [...SOURCES, ...OWN_SOURCES].map(({ name }) => name);

/** The source and the path that words name; of a path alone it is recognised whose it is. */
async function meant(
  name: string,
  path: string | undefined,
  context: CliContext,
): Promise<{ readonly name: string; readonly path: string | undefined }> {
  const { cwd, paths } = context;
  const there = resolve(cwd, name.replace(/^~(?=[/\\])/, paths.home)); // a quoted path has it still
  if (NAMES.includes(name) || !(existsSync(there) || /[/\\.~]/.test(name))) return { name, path };
  if (path !== undefined) {
    throw new MemoError("usage", `Cannot import \`${name}\`: it is followed by \`${path}\``, {
      hint: `Quote a path with spaces: \`memo import ${shellQuoted(`${name} ${path}`)}\``,
    });
  }
  kindOf(there); // throws if there is nothing
  const source = await recognise(there, placeOf(context));
  if (source !== undefined) say(`Recognised \`${tilde(there, context.env)}\` as ${source}`);
  return { name: source ?? name, path: there };
}

function sourceRows(): string[][] {
  return [...SOURCES, ...OWN_SOURCES].map(({ name, summary }) => ["  " + name, summary]);
}

/** What can be imported here. */
async function list({ json }: ImportOptions, context: CliContext): Promise<void> {
  const found = await findImportable(placeOf(context));
  if (json) return outJson(found);
  if (found.length === 0) {
    say("Found nothing to import here");
    say("hint: Run `memo import SOURCE PATH`; `memo import --help` lists the sources");
    return;
  }
  out(columns(found.map((each) => row(each, context))));
  const names = [...new Set(found.map(({ source }) => source))];
  say(`hint: Run \`memo import ${names.length === 1 ? names[0] : "SOURCE"}\``);
}

function row({ source, path, records }: Importable, { env }: CliContext): string[] {
  const unit = source === "conversations" ? "conversation" : "record";
  const count = records === undefined ? "cannot be read" : counted(records, unit);
  return [source, count, paint("dim", tilde(path, env))];
}

interface Asked {
  readonly options: ImportOptions;
  readonly context: CliContext;
  /** The files of instructions that the person wrote themselves. */
  readonly own?: ReadonlySet<string>;
}

async function importRecords(
  source: ImportSource,
  path: string | undefined,
  { options, context }: Asked,
): Promise<void> {
  const place = { ...placeOf(context), isAll: options.all === true };
  const paths = path === undefined ? placesThatAre(source, place) : [resolve(context.cwd, path)];
  const reading = await readPlaces(source, paths, place);
  const own = await ownFiles(reading, options, context);
  const plan = await planned(source.name, reading, { options, context, own });
  const isShown = !options.json && (options.diff === true || source.name === "claude-md");
  if (isShown) out(options.diff ? diffs(plan, context) : listed(linesIn(toReport(plan))));
  const mayWrite = !options.dryRun && await isWanted(source, plan, options);
  const report = mayWrite ? await write(plan, context) : toReport(plan);
  if (options.json) return outJson({ source: source.name, paths, written: mayWrite, ...report });
  const from = paths.length === 1
    ? tilde(paths[0]!, context.env)
    : `${source.name}, ${counted(paths.length, "place")}`;
  printReport(report, { from, isPlan: !mayWrite, isShown });
  if (!mayWrite && !options.dryRun) say("hint: Run `memo import claude-md --yes` to write them");
}

/** What an import would write. */
export async function planned(
  source: string,
  reading: Parameters<typeof planImport>[0],
  { options, context, own: files }: Asked,
): Promise<ImportPlan> {
  const place = placeOf(context);
  const project = projectAt(place);
  const user = userFolder(place);
  const own = project === undefined ? user : privateFolder(project);
  const shared = project === undefined ? [] : sharedFolders(project, place).folders;
  const { "capture.scope": setting, "redact.patterns": patterns } = configHere(context);
  using bar = progressBar("Reading");
  return await planImport(reading, {
    source,
    folderFor: (memory) => folderForNew({ ...memory, scope: options.scope }, { place, setting }),
    known: [...new Set([own, user, ...shared])].map((folder) => withKnown(folder, place)),
    type: options.type,
    overwrite: options.overwrite,
    isOwn: ({ file = "" }) => files?.has(file) ?? false,
    patterns: ownPatterns(patterns),
    now: new Date(),
    onProgress: bar.update,
  });
}

/** CLAUDE.md is split by guesswork, so a person looks at the result first. */
async function isWanted(
  { name }: ImportSource,
  { steps }: ImportPlan,
  { yes, json }: ImportOptions,
): Promise<boolean> {
  if (name !== "claude-md" || yes || steps.length === 0) return true;
  if (!process.stdin.isTTY || json) return false;
  return await confirm(`Write ${counted(steps.length, "memory", "memories")}?`);
}

/** A line for each memory. */
function listed(lines: readonly Line[]): string {
  return columns(lines.map(({ type, scope, name }) => {
    const [kind, where = ""] = kindColumns(type, scope);
    return [kind, where, visible(name)];
  }));
}

function diffs({ steps }: ImportPlan, { env }: CliContext): string {
  return steps.map((step) => {
    const { memory, folder } = step;
    const path = step.kind === "update"
      ? step.path
      : `${folder.path}/${fileName(memory.type, memory.name)}`;
    return diffOf({ before: undefined, after: serializeMemory(memory) }, tilde(path, env));
  }).join("");
}

/** What `--json` prints. */
interface Report {
  readonly added: readonly Line[];
  readonly updated: readonly Line[];
  readonly archived: readonly Line[];
  readonly same: number;
  readonly skipped: readonly Skipped[];
  readonly redacted: number;
  /** Written or to write, and not the person's word until they confirm it. */
  readonly unconfirmed: number;
}

interface Line {
  readonly name: string;
  readonly type: string;
  readonly scope: Scope;
  readonly path?: string;
}

/** Writes what was planned, and lets memo follow. */
export async function write(plan: ImportPlan, context: CliContext): Promise<Report> {
  using bar = progressBar("Writing");
  const { written, failed } = await applyImport(plan.steps, {
    ...surroundings(context),
    onProgress: bar.update,
  });
  return toReport({ ...plan, steps: written, skipped: [...plan.skipped, ...failed] });
}

type Reported = Pick<ImportPlan, "same" | "skipped" | "redacted"> & {
  readonly steps: readonly (Pick<Written, "kind" | "memory" | "folder"> & { path?: string })[];
};

function toReport({ steps, same, skipped, redacted }: Reported): Report {
  const lines = (kind: Written["kind"]) =>
    steps.filter((step) => step.kind === kind).map(({ memory, folder, path }): Line => ({
      name: memory.name,
      type: memory.type,
      scope: folder.scope,
      ...path !== undefined && { path },
    }));
  return {
    added: lines("add"),
    updated: lines("update"),
    archived: lines("archive"),
    same,
    skipped,
    redacted,
    unconfirmed:
      steps.filter(({ kind, memory }) =>
        kind !== "archive" && markOf(memory)?.basis === "elsewhere"
      ).length,
  };
}

/** The memories that an import writes. */
function linesIn({ added, updated }: Report): readonly Line[] {
  return [...added, ...updated];
}

function printReport(
  report: Report,
  { from, isPlan, isShown }: {
    /** The source's file, or what there are several of. */
    readonly from: string;
    readonly isPlan: boolean;
    /** Whether they are on the screen already. */
    readonly isShown: boolean;
  },
): void {
  const { added, updated, archived, same, skipped, redacted } = report;
  const lines = linesIn(report);
  if (isPlan && !isShown) out(listed(lines));
  printSkipped(skipped);
  printCounts(from, [
    [added.length, isPlan ? "to add" : "added"],
    [updated.length, isPlan ? "to update" : "updated"],
    [archived.length, isPlan ? "to archive" : "archived"],
    [same, "already imported"],
    [skipped.reduce((sum, { count = 1 }) => sum + count, 0), "skipped"],
  ]);
  printScopes(lines.map(({ scope }) => scope), { isPlan });
  if (redacted > 0) say(`Redacted ${counted(redacted, "secret")}`);
  if (!isPlan) printMarked(report.unconfirmed, lines.length);
}

/** The surroundings of an import. */
export function placeOf(context: CliContext): ImportPlace {
  return { ...context.place, env: context.env };
}
