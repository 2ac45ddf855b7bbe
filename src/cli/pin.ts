import type { Command } from "commander";
import { MemoError } from "../errors.ts";
import { findMemory } from "../memory/find.ts";
import { memoryFolders, placeIn } from "../memory/scopes.ts";
import { mayRead } from "../memory/trust.ts";
import { readMemoryFile, writeMemory } from "../memory/store.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { describe } from "./describe.ts";
import { out, outJson, say } from "./output.ts";

/** `memo pin`: keeps a memory's title in every start block. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--off", "Unpin it")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { off?: boolean; json?: boolean }) => {
      const { cwd, paths } = context;
      const folders = memoryFolders(placeIn(paths, cwd));
      const { memory, folder } = findMemory(words.join(" "), folders, { cwd });
      if (folder.scope === "auto") {
        throw new MemoError(
          "usage",
          `Cannot pin \`${memory.name}\`: it belongs to Claude Code's auto memory, which memo never changes`,
          { hint: "Run `memo add TEXT` to keep the same in a memory of your own" },
        );
      }
      const pinned = options.off !== true;
      if (memory.pinned !== pinned) {
        writeMemory({ ...memory, pinned }, folder, {
          replaces: memory.path,
          what: pinned ? "pin" : "unpin",
        });
        await afterChange(
          context,
          folder,
          mayRead(folder, memory.digest) ? memory.path : undefined,
        );
      }
      const after = readMemoryFile(memory.path, memory.scope);
      if (options.json) return outJson({ ...describe(after, new Date()), pinned });
      out(memory.path + "\n");
      say(
        pinned
          ? `Pinned \`${memory.name}\`; every session begins with its title`
          : `Unpinned \`${memory.name}\``,
      );
    });
}
