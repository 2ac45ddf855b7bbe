import { basename } from "node:path";
import type { Command } from "commander";
import { findMemory } from "../memory/find.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { originalName, restore } from "../memory/store.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { out, outJson, say } from "./output.ts";

/** `memo restore`: restores a memory from the archive. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { cwd, paths } = context;
      const folders = memoryFolders(placeIn(paths, cwd))
        .filter(({ scope }) => scope !== "auto");
      const { memory, folder } = findMemory(words.join(" "), folders, { cwd, archived: true });
      const { name, type, scope, path: archived } = memory;
      const path = restore(archived, folder);
      await afterChange(context, folder);
      if (options.json) return outJson({ name, type, scope, path, archived });
      out(path + "\n");
      say(`Restored \`${name}\``);
      if (basename(path) !== originalName(archived)) {
        say(`hint: \`${originalName(archived)}\` exists too; run \`memo forget\` on one of them`);
      }
    });
}
