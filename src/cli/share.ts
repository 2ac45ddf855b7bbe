import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { carryOut } from "../change/carry_out.ts";
import { addition, archival } from "../change/change.ts";
import { MemoError } from "../errors.ts";
import { newChangeId } from "../memory/change_log.ts";
import { serializeMemory } from "../memory/file.ts";
import type { Found } from "../memory/find.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { type Project, projectAt } from "../memory/project.ts";
import { memoryFolders, privateFolder, sharedFolderToWrite } from "../memory/scopes.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { findOne, lookUpHere, NAMES } from "./shared/find.ts";
import { outJson, outPath, say } from "./shared/output.ts";
import { refuseSecrets } from "./shared/secret.ts";

interface ShareOptions {
  readonly undo?: boolean;
  readonly anyway?: boolean;
  readonly json?: boolean;
}

/** `memo share`: puts a memory into the repository, for all who clone it. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", `Memory: ${NAMES}`)
    .option("--undo", "Move it back to your private memories")
    .option("--anyway", "Share it even if it seems to contain a secret")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: ShareOptions) => {
      const { cwd, place } = context;
      const project = projectAt(place);
      if (project === undefined) {
        throw new MemoError("usage", `Cannot share a memory: \`${cwd}\` is not in a project`, {
          hint: "Run it in the repository that the memory is for",
        });
      }
      const isThere = ({ scope }: MemoryFolder) => (scope === "shared") !== (options.undo ?? false);
      const folders = memoryFolders(place);
      const there = { folders: folders.filter(isThere) };
      const rest = { folders: folders.filter((folder) => !isThere(folder)) };
      const done = lookUpHere(words, context, there);
      if (done.kind === "found" && lookUpHere(words, context, rest).kind === "missing") {
        return sayDone(done.found, options);
      }
      const found = await findOne(words, context, rest);
      const copy = lookUpHere([found.memory.name], context, { ...there, exact: true });
      if (copy.kind === "found" && !options.undo) return sayDone(copy.found, options);
      const to = options.undo ? privateFolder(project) : sharedFolderToWrite(project, place);
      if (!options.undo && !options.anyway) {
        await refuseSecrets(serializeMemory(found.memory), context);
      }
      const path = await move(found, to, context);
      const { name, type, scope } = readMemoryFile(path, to.scope);
      if (options.json) return outJson({ name, type, scope, path });
      outPath(path);
      sayWhere(found, path, { project, undo: options.undo ?? false });
    });
}

/**
 * Adds the memory to the other folder. A memory private to the project is archived there; one of the user's, or of Claude
 * Code's, applies elsewhere too and stays. The copy does not name its source conversation, which is private.
 */
async function move(found: Found, to: MemoryFolder, context: CliContext): Promise<string> {
  const { memory, folder } = found;
  const change = { what: "share", group: newChangeId() } as const;
  const original = readFileSync(memory.path, "utf8");
  const isMoved = folder.scope === "project" || folder.scope === "shared";
  const { done } = await carryOut([
    addition({ ...memory, source: undefined }, to, { original, ...change }),
    ...isMoved ? [archival(found, change)] : [],
  ], surroundings(context));
  return done[0]!.path;
}

function sayWhere(
  { memory: { name }, folder }: Found,
  path: string,
  { project, undo }: { readonly project: Project; readonly undo: boolean },
): void {
  if (undo) return say(`Removed “${name}” from the repository; it is private now`);
  say(`Shared “${name}”; commit \`${relative(project.top, path)}\` to share it with others`);
  if (folder.scope === "user") say("Your own copy still applies in other projects");
}

/** Says that a memory is where it is to be. */
function sayDone({ memory: { name, type, scope, path } }: Found, options: ShareOptions): void {
  if (options.json) return outJson({ name, type, scope, path });
  outPath(path);
  say(`“${name}” is ${options.undo ? "private" : "shared"} already`);
}
