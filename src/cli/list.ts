import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { ageInDays, sayAge } from "../memory/age.ts";
import { bytesOf, originalPath } from "../memory/archive.ts";
import { parseMemory } from "../memory/file.ts";
import { newestFirst, readMemories, withCommitDates } from "../memory/list.ts";
import type { MemoryFile, MemoryFolder, Scope } from "../memory/memory.ts";
import { knownProjects, type Place } from "../memory/project.ts";
import { memoryFolders, placeIn, privateFolder } from "../memory/scopes.ts";
import { listArchive, type ListedFile, listMemoryFiles } from "../memory/store.ts";
import { mayRead } from "../memory/trust.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { addFilters, type Filters, isFiltered, meantType, passes, SCOPES } from "./filters.ts";
import { columns, out, outJson, paint, say } from "./output.ts";

interface ListOptions extends Filters {
  readonly all?: boolean;
  readonly archived?: boolean;
  readonly json?: boolean;
}

/** `memo list`: lists the memories that apply here, newest first. */
export function define(command: Command, context: CliContext): void {
  addFilters(command)
    .addOption(new Option("-s <scope>").choices(SCOPES).hideHelp()) // former option: now `-s` is a strategy
    .option("-a, --all", "Include the private memories of all other projects")
    .option("--archived", "List forgotten and replaced memories instead")
    .option("--json", "Print JSON")
    .action(async ({ s, ...given }: ListOptions & { readonly s?: Scope }) => {
      const options = s === undefined ? given : { ...given, scope: s };
      const listed = await list(options, context);
      const now = new Date();
      if (options.json) outJson(listed.map((each) => toJson(each, now)));
      else if (listed.length > 0) out(columns(listed.map((each) => row(each, options, now))));
      if (listed.length === 0) {
        if (!options.json) say(`No memories found; ${whatElse(options)}`);
        process.exitCode = 1;
      }
    });
}

/** A memory and its folder. */
interface Listed {
  readonly memory: MemoryFile;
  readonly folder: MemoryFolder;
}

async function list(options: ListOptions, { cwd, paths, env }: CliContext): Promise<Listed[]> {
  const folders = foldersFor(options, placeIn(paths, cwd));
  const found: Listed[] = [];
  for (const folder of folders) {
    const listing = readMemories(folder, options.archived ? listForgotten : listMemoryFiles);
    const dated = await withCommitDates(folder, listing.memories);
    found.push(...dated.map((memory) => ({ memory, folder })));
    for (const { path, because } of listing.failed) {
      say(`warning: Cannot read \`${tilde(path, env)}\`: ${because}`);
    }
  }
  return found.filter(({ memory }) => passes(memory, options)).sort((a, b) =>
    newestFirst(a.memory, b.memory)
  );
}

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
  const others = knownProjects(place.claude).map(privateFolder)
    .filter(({ path }) => !here.some((folder) => folder.path === path));
  return [...here, ...others];
}

function row({ memory, folder }: Listed, { all }: ListOptions, now: Date): string[] {
  const { name, type, scope, problems, digest } = memory;
  const marks = problems.map(({ message }) => paint("yellow", `! ${message}`));
  if (!mayRead(folder, digest)) marks.unshift(paint("yellow", "! untrusted, see `memo trust`"));
  const project = all && folder.project !== undefined
    ? ` ${visible(basename(folder.project))}`
    : "";
  return [sayAge(ageInDays(memory, now)), type, scope + project, [name, ...marks].join("  ")];
}

function toJson({ memory, folder }: Listed, now: Date) {
  const { project } = folder;
  const trusted = mayRead(folder, memory.digest);
  return {
    ...describe(memory, now),
    ...(project === undefined ? {} : { project }),
    ...(folder.scope === "shared" ? { trusted } : {}),
  };
}

function whatElse(options: ListOptions): string {
  if (isFiltered(options)) return `${meantType(options.type)}run \`memo list\` to see all`;
  return options.archived
    ? "run `memo forget NAME` to move a memory to the archive"
    : 'run `memo add "..."` to add one';
}
