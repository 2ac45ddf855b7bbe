import { type Command, Option } from "commander";
import { ageInDays, sayAge } from "../memory/age.ts";
import { newestFirst, readMemories } from "../memory/list.ts";
import type { MemoryFile, Scope } from "../memory/memory.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { listArchive, listMemoryFiles } from "../memory/store.ts";
import { tilde } from "../paths.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { ofType } from "./of_type.ts";
import { columns, out, outJson, paint, say } from "./output.ts";

interface ListOptions {
  readonly type?: string;
  readonly scope?: Scope;
  readonly archived?: boolean;
  readonly json?: boolean;
}

/** `memo list`: lists the memories that apply here, newest first. */
export function define(command: Command, context: CliContext): void {
  command
    .option("-t, --type <type>", "Only memories of this type")
    .addOption(new Option("-s, --scope <scope>", "Only memories of this scope")
      .choices(["user", "project", "shared", "auto"]))
    .option("--archived", "List forgotten and replaced memories instead")
    .option("--json", "Print JSON")
    .action((options: ListOptions) => {
      const memories = list(options, context);
      const now = new Date();
      if (options.json) outJson(memories.map((memory) => describe(memory, now)));
      else if (memories.length > 0) out(columns(memories.map((memory) => row(memory, now))));
      if (memories.length === 0) {
        if (!options.json) say(`No memories found; ${whatElse(options)}`);
        process.exitCode = 1;
      }
    });
}

function list(options: ListOptions, { cwd, paths, env }: CliContext): MemoryFile[] {
  const folders = memoryFolders(placeIn(paths, cwd))
    .filter(({ scope }) => options.scope === undefined || scope === options.scope);
  const memories: MemoryFile[] = [];
  for (const folder of folders) {
    const listing = readMemories(folder, options.archived ? listArchive : listMemoryFiles);
    memories.push(...listing.memories);
    for (const { path, because } of listing.failed) {
      say(`warning: Cannot read \`${tilde(path, env)}\`: ${because}`);
    }
  }
  return memories
    .filter(({ type }) => options.type === undefined || type === options.type)
    .sort(newestFirst);
}

function row(memory: MemoryFile, now: Date): string[] {
  const { name, type, scope, problems } = memory;
  const marks = problems.map(({ message }) => paint("yellow", `! ${message}`));
  return [sayAge(ageInDays(memory, now)), type, scope, [name, ...marks].join("  ")];
}

function whatElse(options: ListOptions): string {
  if (options.type !== undefined) return `${ofType(options.type)}run \`memo list\` to see all`;
  if (options.scope !== undefined) return "run `memo list` to see all";
  return options.archived
    ? "run `memo forget NAME` to move a memory to the archive"
    : 'run `memo add "..."` to add one';
}
