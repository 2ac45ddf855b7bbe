import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Command } from "commander";
import { carryOut } from "../change/carry_out.ts";
import { addition, archival } from "../change/change.ts";
import { MemoError } from "../errors.ts";
import { newChangeId } from "../memory/change_log.ts";
import { serializeMemory } from "../memory/file.ts";
import { findMemory, type Found } from "../memory/find.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import { type Project, projectAt } from "../memory/project.ts";
import { memoryFolders, privateFolder, sharedFolderToWrite } from "../memory/scopes.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { out, outJson, say } from "./shared/output.ts";
import { refuseSecrets } from "./shared/secret.ts";

interface ShareOptions {
  readonly undo?: boolean;
  readonly anyway?: boolean;
  readonly json?: boolean;
}

/** `memo share`: puts a memory into the repository, for all who clone it. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
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
      const wanted = options.undo ? ["shared"] : ["project", "user", "auto"];
      const folders = memoryFolders(place).filter(({ scope }) => wanted.includes(scope));
      const found = findMemory(words.join(" "), folders, { cwd });
      const to = options.undo ? privateFolder(project) : sharedFolderToWrite(project, place);
      if (!options.undo && !options.anyway) {
        await refuseSecrets(serializeMemory(found.memory), context);
      }
      const path = await move(found, to, context);
      const { name, type, scope } = readMemoryFile(path, to.scope);
      if (options.json) return outJson({ name, type, scope, path });
      out(path + "\n");
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
  if (undo) return say(`Removed \`${name}\` from the repository; it is private now`);
  say(`Shared \`${name}\`; commit \`${relative(project.top, path)}\` to share it with others`);
  if (folder.scope === "user") say("Your own copy still applies in other projects");
}
