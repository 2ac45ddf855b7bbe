import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { folderForNew } from "../../core/change/change.ts";
import {
  applyImport,
  fileIn,
  findImportable,
  type ImportPlace,
  type ImportPlan,
  type ImportSource,
  type ImportStep,
  isChatExport,
  kindOf,
  OWN_SOURCES,
  placesThatAre,
  planImport,
  readPlaces,
  recognise,
  sourceNamed,
  SOURCES,
} from "../../features/import/mod.ts";
import { diffOf } from "./init/install.ts";
import { markOf } from "../../core/memory/provenance.ts";
import { serializeMemory } from "../../core/memory/file.ts";
import type { OwnScope } from "../../core/memory/memory.ts";
import { refuseOff } from "../../core/memory/off.ts";
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
import { configHere } from "./shared/config_here.ts";
import { counted } from "../../core/text/counted.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";
import { progressBar } from "./shared/progress.ts";
import { visible } from "../../core/text/neutralise.ts";
import { confirm, type CostlyFlags } from "./shared/confirm.ts";
import { importChats } from "./import/chats.ts";
import { importExport, ownFiles, printMarked, printReport, printScopes } from "./import/memo.ts";
import {
  dropConversations,
  importConversation,
  importConversations,
} from "./import/conversations.ts";

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
    .argument("[source]", `Source: ${NAMES.join(", ")}; or a path`)
    .argument("[path]", "Its file or folder (default: where that tool keeps it)")
    .option("--dry-run", "Show what would be imported")
    .option("--diff", "Also show the files line by line")
    .option("-t, --type <type>", "Type for all of them (default: from the source)")
    .addOption(new Option("--scope <scope>", SCOPES).choices(["user", "project", "shared"]))
    .option("--overwrite", "Overwrite memories that are edited, archived or newer here")
    .option("--last <time>", "With `conversations`: how far back (`12h`, `30d`, `8w`)", "30d")
    .option(
      "--all",
      "With `conversations` or `claude-mem`: all projects; with an export: all of it",
    )
    .option("--again", "With `conversations FILE`: include turns already captured")
    .option("--drop", DROP)
    .option("-y, --yes", "Do not ask")
    .addHelpText(
      "after",
      () => `\nSources:\n${columns(ROWS.map(({ name, summary }) => ["  " + name, summary]))}`,
    )
    .action(
      async (given: string | undefined, at: string | undefined, options: ImportOptions) => {
        if (given === undefined) return await list(options, context);
        const { name, path } = await meant(given, at, context);
        if (path !== undefined) refuseOff({ ...context.place, cwd: resolve(context.cwd, path) });
        if (name === "conversations") {
          if (options.drop) return await dropConversations(path, options, context);
          const export_ = resolve(context.cwd, path ?? "");
          if (path !== undefined && isChatExport(export_)) {
            return await importChats(export_, options, context);
          }
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

const SCOPES = "Where all of them apply (default: from the source)";
const DROP = "With `conversations`: drop FILE, or all that failed, from the capture queue";
const ROWS = [...SOURCES, ...OWN_SOURCES];
const NAMES = ROWS.map(({ name }) => name);

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

async function list({ json }: ImportOptions, context: CliContext): Promise<void> {
  const found = await findImportable(placeOf(context));
  if (json) return outJson(found);
  if (found.length === 0) {
    say("Found nothing to import here");
    say("hint: Run `memo import SOURCE PATH`; `memo import --help` lists the sources");
    return;
  }
  out(columns(found.map(({ source, path, records }) => {
    const unit = source === "conversations" ? "conversation" : "record";
    const count = records === undefined ? "cannot be read" : counted(records, unit);
    return [source, count, paint("dim", tilde(path, context.env))];
  })));
  const names = [...new Set(found.map(({ source }) => source))];
  say(`hint: Run \`memo import ${names.length === 1 ? names[0] : "SOURCE"}\``);
}

interface ImportRequest {
  readonly options: ImportOptions;
  readonly context: CliContext;
}

async function importRecords(
  source: ImportSource,
  path: string | undefined,
  { options, context }: ImportRequest,
): Promise<void> {
  const { json, dryRun } = options;
  const place = { ...placeOf(context), isAll: options.all === true };
  const paths = path === undefined
    ? await placesThatAre(source, place)
    : [resolve(context.cwd, path)];
  const reading = await readPlaces(source, paths, place);
  const own = await ownFiles(reading, options, context);
  const plan = await planned(source, reading, { options, context, own });
  const isShown = !json && (options.diff === true || isGuesswork(source));
  if (isShown) out(options.diff ? diffs(plan, context) : listed(plan));
  const mayWrite = !dryRun && await isWanted(source, plan, options);
  const done = mayWrite ? await write(plan, context) : plan;
  const report = toReport(done);
  if (json) return outJson({ source: source.name, paths, written: mayWrite, ...report });
  if (!mayWrite && !isShown) out(listed(plan));
  const from = paths.length === 1
    ? tilde(paths[0]!, context.env)
    : `${source.name}, ${counted(paths.length, "place")}`;
  printReport(from, report, { isPlan: !mayWrite });
  const saved = inUse(done);
  printScopes(saved.map(({ folder }) => folder.scope), { isPlan: !mayWrite });
  if (report.redacted > 0) say(`Redacted ${counted(report.redacted, "secret")}`);
  if (mayWrite) printMarked(report.unconfirmed, saved.length);
  else if (!dryRun) {
    const what = [path === undefined ? "" : ` ${shellQuoted(tilde(paths[0]!, context.env))}`];
    if (options.scope !== undefined) what.push(` --scope ${options.scope}`);
    say(`hint: Run \`memo import ${source.name}${what.join("")} --yes\` to write them`);
  }
}

/** What an import would write. */
export async function planned(
  { name, formerly }: Pick<ImportSource, "name" | "formerly">,
  reading: Parameters<typeof planImport>[0],
  { options, context, own }: ImportRequest & {
    /** The files of instructions that the person wrote themselves. */
    readonly own?: ReadonlySet<string>;
  },
): Promise<ImportPlan> {
  const place = placeOf(context);
  const project = projectAt(place);
  const user = userFolder(place);
  const folders = project === undefined
    ? [user]
    : [privateFolder(project), user, ...sharedFolders(project, place).folders];
  const { "capture.scope": setting, "redact.patterns": patterns } = configHere(context);
  using bar = progressBar("Reading");
  return await planImport(reading, {
    ...{ source: name, formerly },
    folderFor: (memory) => folderForNew({ ...memory, scope: options.scope }, { place, setting }),
    known: folders.map((folder) => withKnown(folder, place)),
    type: options.type,
    overwrite: options.overwrite,
    isOwn: ({ file = "" }) => own?.has(file) ?? false,
    patterns: ownPatterns(patterns),
    now: new Date(),
    onProgress: bar.update,
  });
}

/** Rule files are split by guesswork, so a person looks at the result first. */
function isGuesswork({ name }: ImportSource): boolean {
  return name === "rules";
}

async function isWanted(
  source: ImportSource,
  { steps }: ImportPlan,
  { yes, json }: ImportOptions,
): Promise<boolean> {
  if (!isGuesswork(source) || yes || steps.length === 0) return true;
  if (!process.stdin.isTTY || json) return false;
  return await confirm(`Apply ${counted(steps.length, "change")}?`);
}

function inUse({ steps }: ImportPlan) {
  return ["add", "update"].flatMap((kind) => steps.filter((step) => step.kind === kind));
}

/** What a plan adds, updates or archives, by file where rules come from several. */
function listed(plan: ImportPlan): string {
  const files = Map.groupBy(
    [...inUse(plan), ...plan.steps.filter(({ kind }) => kind === "retire")],
    ({ memory: { source } }) => source?.import === "rules" ? fileIn(source.id ?? "") : "",
  );
  return [...files].map(([file, steps]) => {
    const heading = files.size > 1 ? `${paint("bold", visible(file))}\n` : "";
    return heading + columns(steps.map(({ kind, memory, folder }) => {
      const [type, where = ""] = kindColumns(memory.type, folder.scope);
      return [kind === "retire" ? "archive" : type, where, visible(memory.name)];
    }));
  }).join("");
}

function diffs({ steps }: ImportPlan, { env }: CliContext): string {
  return steps.map((step) => {
    const { memory, folder } = step;
    const path = step.path ?? `${folder.path}/${fileName(memory.type, memory.name)}`;
    const text = serializeMemory(memory), isGone = step.kind === "retire";
    const [before, after] = isGone ? [text, undefined] : [undefined, text];
    return diffOf({ before, after }, tilde(path, env));
  }).join("");
}

async function write(plan: ImportPlan, context: CliContext): Promise<ImportPlan> {
  using bar = progressBar("Writing");
  const { written, failed } = await applyImport(plan.steps, {
    ...surroundings(context),
    onProgress: bar.update,
  });
  return { ...plan, steps: written, skipped: [...plan.skipped, ...failed] };
}

function toReport({ steps, same, skipped, redacted }: ImportPlan) {
  const lines = (kind: ImportStep["kind"]) =>
    steps.filter((step) => step.kind === kind).map(({ memory: { name, type }, folder, path }) => ({
      ...{ name, type, scope: folder.scope },
      ...path !== undefined && { path },
    }));
  return {
    ...{
      added: lines("add"),
      updated: lines("update"),
      archived: [...lines("archive"), ...lines("retire")],
    },
    ...{ same, skipped, redacted },
    /** Written or to write, and not the person's word until they confirm it. */
    unconfirmed:
      steps.filter(({ kind, memory }) =>
        kind !== "archive" && kind !== "retire" && markOf(memory)?.basis === "elsewhere"
      ).length,
  };
}

/** The surroundings of an import. */
export function placeOf(context: CliContext): ImportPlace {
  return { ...context.place, env: context.env };
}
