import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Command, Option } from "commander";
import { ageInDays, formatAge } from "../../core/memory/age.ts";
import { bytesOf, listArchive, originalPath } from "../../core/ledger/archive.ts";
import { isHeldBack, mayRead } from "../../core/memory/trust.ts";
import { BASES, type Basis, basisOf } from "../../core/memory/provenance.ts";
import { parseMemory } from "../../core/memory/file.ts";
import { shortIds } from "../../core/ledger/find.ts";
import {
  isSelected,
  readMemories,
  type Selection,
  sortedNewestFirst,
  withCommitDates,
} from "../../core/memory/list.ts";
import type { MemoryFile, MemoryFolder } from "../../core/memory/memory.ts";
import { projectsOn } from "../../core/memory/off.ts";
import type { Place } from "../../core/memory/project.ts";
import {
  leftOutFolder,
  memoryFolders,
  privateFolder,
  withKnown,
} from "../../core/memory/scopes.ts";
import { JOURNAL, type ListedFile, memoryPaths } from "../../core/memory/folder.ts";
import { formatStatus, type Standing } from "../../core/relation/standing.ts";
import { isStale, readUsage, usageOf } from "../../core/ledger/usage.ts";
import { commandFor, formatFormer, formerProjects } from "../../features/move/former.ts";
import { tilde } from "../../paths.ts";
import { visible } from "../../core/text/neutralise.ts";
import type { CliContext } from "./shared/command.ts";
import { describe, kindColumns, standingsHere, UNTRUSTED } from "./shared/describe.ts";
import { counted } from "../../core/text/counted.ts";
import { addFilters, type Flags, formatTypeHint, wholeNumber } from "./shared/options.ts";
import { columns, out, outJson, paint, printFound, say } from "./shared/output.ts";
import { printUnreadable } from "./shared/unreadable.ts";
import { journalDays } from "../../core/journal/journal.ts";

interface ListOptions
  extends Selection, Flags<"all" | "archived" | "stale" | "unused" | "projects" | "json"> {
  readonly basis?: Basis;
  readonly lines?: number;
}

/** `memo list`: lists the memories that apply here, newest first. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .argument("[words...]", "Only memories with all these words in their names")
    .option("-n, --lines <number>", "Show at most this many", wholeNumber)
    .option("-a, --all", "Include the private memories of your other projects")
    .option("--archived", "List forgotten and replaced memories instead")
    .option(
      "--stale",
      "Only memories that no longer match the code, have faded, or were unused for 180 days",
    )
    .option("--unused", "Only memories no reply has used yet, with how often they were shown")
    .addOption(
      new Option("--basis <basis>", "Only memories from this source")
        .choices(Object.keys(BASES)),
    )
    .option("--projects", "List projects that have memories or a journal instead")
    .action(async (words: readonly string[], options: ListOptions) => {
      if (options.projects) return listProjects(options, context);
      const { listed, failed } = await list(words, options, context);
      if (!options.json && !options.archived) {
        printLeftOut(context);
        const former = formatFormer(await formerProjects(context.place), context.env);
        if (former !== undefined) say(`note: ${former}`);
      }
      const found = listed.map(toJson);
      printFound(found, {
        json: options.json,
        text() {
          const ids = shortIds(found.map(({ id }) => id), memoryFolders(context.place));
          return columns(listed.map((each, i) => row(each, options, ids[i]!)));
        },
        nothing: () => failed === 0 ? noneFound(words, options) : undefined,
      });
    });
}

/** Says which memories are not listed because Claude Code's settings turn its auto memory off. */
function printLeftOut({ env, place }: CliContext): void {
  const folder = leftOutFolder(place);
  const count = folder === undefined ? 0 : memoryPaths(folder).length;
  if (count === 0) return;
  const memories = counted(count, "Claude Code memory", "Claude Code memories");
  const where = tilde(folder!.path, env);
  say(`note: Left out ${memories} in \`${where}\`: \`autoMemoryEnabled\` is off`);
}

/** The memories to list, and how many files and folders could not be read. */
async function list(words: readonly string[], options: ListOptions, context: CliContext) {
  const { paths, place } = context;
  const [uses, now] = [readUsage(paths.usage), new Date()];
  const standings = options.stale ? await standingsHere(context, now) : new Map<string, Standing>();
  const isWanted = (memory: MemoryFile) => {
    const { name, path } = memory, usage = usageOf(uses, path);
    return words.every((word) => name.toLowerCase().includes(word.toLowerCase())) &&
      isSelected(memory, options) &&
      (options.basis === undefined || basisOf(memory) === options.basis) &&
      (!options.stale || standings.has(path) || isStale(memory, { now, usage })) &&
      (!options.unused || usage.used === 0);
  };
  const cut = { passes: isWanted, limit: options.lines ?? Infinity };
  const listings = foldersFor(options, place).map((folder) => {
    const isShared = folder.scope === "shared"; // git may know when it was written
    const wanted = { ...options.archived && { list: listForgotten }, ...!isShared && cut };
    return { folder, isShared, ...readMemories(folder, wanted) };
  });
  const found = await Promise.all(listings.map(async ({ folder, isShared, memories }) => {
    const dated = isShared ? (await withCommitDates(folder, memories)).filter(isWanted) : memories;
    return dated.map((memory) => {
      const { path } = memory;
      return { memory, folder, usage: usageOf(uses, path), standing: standings.get(path) };
    });
  }));
  const failed = listings.flatMap(({ failed }) => failed);
  printUnreadable(failed, context);
  const listed = sortedNewestFirst(found.flat(), ({ memory }) => memory).slice(0, options.lines);
  return { listed, failed: failed.length };
}

type ListRow = Awaited<ReturnType<typeof list>>["listed"][number];

/** The last archived version of each memory that is no longer in use. */
function listForgotten(folder: MemoryFolder): ListedFile[] {
  const last = new Map<string, ListedFile>();
  for (const archived of listArchive(folder)) {
    const path = originalPath(archived.path, folder);
    if (!last.has(path)) last.set(path, archived);
  }
  const isInUse = (path: string, archived: ListedFile) => {
    const there = bytesOf(path, folder.path);
    const nameIn = (text: string) => parseMemory(text, { fallbackName: path }).memory.name;
    return there !== undefined &&
      nameIn(new TextDecoder().decode(there)) === nameIn(readFileSync(archived.path, "utf8"));
  };
  return [...last].filter(([path, archived]) => !isInUse(path, archived)).map(([, file]) => file);
}

/** The folders that apply here; with `--all` those of the other projects too. */
function foldersFor({ all }: ListOptions, place: Place): MemoryFolder[] {
  const here = memoryFolders(place);
  if (!all) return here;
  const others = projectsOn(place)
    .map((project) => withKnown(privateFolder(project), place))
    .filter(({ path }) => !here.some((folder) => folder.path === path));
  return [...here, ...others];
}

function row(
  { memory, folder, usage, standing }: ListRow,
  options: ListOptions,
  id: string,
): string[] {
  const { all, stale, unused } = options;
  const { name, type, scope, problems, digest } = memory;
  const marks = problems.map(({ message }) => paint("yellow", `! ${message}`));
  marks.push(...formatStatus({ standing }).map((fact) => paint("yellow", fact)));
  if (isHeldBack(memory, folder)) marks.push(paint("yellow", "needs review"));
  if (!mayRead(folder, digest)) marks.unshift(paint("yellow", UNTRUSTED));
  const [kind, where = ""] = kindColumns(type, scope);
  const isNamed = folder.isAround || all && folder.project !== undefined;
  const project = isNamed ? visible(basename(folder.project!)) : "";
  const uses = stale || unused ? [`shown ${usage.shown}, used ${usage.used}`] : [];
  const age = formatAge(ageInDays(memory, new Date()));
  const place = `${where} ${project}`.trim();
  return [paint("bold", id), age, ...uses, kind, place, [visible(name), ...marks].join("  ")];
}

function toJson({ memory, folder, usage, standing }: ListRow) {
  const { project, scope } = folder;
  return {
    ...describe(memory, folder, new Date()),
    ...{ shown: usage.shown, used: usage.used },
    ...project !== undefined && { project },
    ...scope === "shared" && { trusted: mayRead(folder, memory.digest) },
    ...isHeldBack(memory, folder) && { held: true },
    ...standing,
  };
}

/** That no memory matches the options, and what to do about it. */
function noneFound(words: readonly string[], options: ListOptions): string {
  const { archived, stale, unused, type, tag, scope, basis, since, before } = options;
  const flags = Object.entries({ archived, stale, unused });
  const kinds = flags.flatMap(([kind, isSet]) => isSet ? [`${kind} `] : []);
  const limits = Object.entries({ type, tag, scope, basis }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} \`${value}\``]
  );
  const conditions = limits.length === 0 ? "" : ` with ${limits.join(", ")}`;
  const isDated = since !== undefined || before !== undefined;
  const period = isDated ? " changed in that time" : "";
  const none = `No ${kinds.join("")}memories${conditions}${period}`;
  if (words.length > 0) {
    const named = words.join(" ");
    return `${none} named \`${named}\`; run \`memo search ${named}\` to search their text`;
  }
  if (limits.length > 0 || isDated) {
    return `${none}; ${formatTypeHint(type)}run \`memo list\` to see all`;
  }
  return kinds.length > 0 ? none : 'No memories found; run `memo add "..."` to add one';
}

function listProjects({ json }: ListOptions, { paths, env }: CliContext): void {
  const projects = projectsOn(paths).map(({ root, folder }) => ({
    ...{ name: basename(root), root, folder },
    exists: existsSync(root),
    memories: memoryPaths(privateFolder({ root, folder })).length,
    days: journalDays(join(folder, JOURNAL)).length,
  }));
  if (json) return outJson(projects);
  if (projects.length === 0) return say("No projects yet");
  out(columns(projects.map(({ name, root, exists, memories, days }) => [
    name,
    counted(memories, "memory"),
    `${counted(days, "day")} of journal`,
    visible(tilde(root, env)) + (exists ? "" : paint(
      "yellow",
      `  ! missing; if it moved, run \`${commandFor({ root }, env)}\` in its new folder`,
    )),
  ])));
}
