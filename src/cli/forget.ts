import { basename } from "node:path";
import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { findMemory } from "../memory/find.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { archive } from "../memory/store.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { out, outJson, say } from "./output.ts";

/** `memo forget`: moves a memory to the archive; `memo restore` undoes it. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { json?: boolean }) => {
      const { cwd, paths } = context;
      const folders = memoryFolders(placeIn(paths, cwd));
      const { memory, folder } = findMemory(words.join(" "), folders, { cwd });
      if (folder.scope === "auto") {
        throw new MemoError(
          "usage",
          `Cannot forget \`${memory.name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
          { hint: `Delete \`${memory.path}\`, or ask Claude to forget it` },
        );
      }
      const { name, type, scope, path } = memory;
      const archived = archive(path, folder, new Date());
      await afterChange(context, folder);
      if (options.json) return outJson({ name, type, scope, path, archived });
      out(archived + "\n");
      say(`Forgot \`${name}\`; run \`memo restore ${basename(path)}\` to undo`);
    });
}
