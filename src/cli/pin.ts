import type { Command } from "commander";
import { carryOutOne } from "../change/carry_out.ts";
import { revision } from "../change/change.ts";
import { refuseAuto } from "../change/own.ts";
import { findMemory } from "../memory/find.ts";
import { memoryFolders } from "../memory/scopes.ts";
import { mayRead } from "../memory/trust.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { describe } from "./shared/describe.ts";
import { out, outJson, say } from "./shared/output.ts";

/** `memo pin`: keeps a memory's title in every start block. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", "Memory name, file name or path (a unique prefix is enough)")
    .option("--off", "Unpin it")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { off?: boolean; json?: boolean }) => {
      const { cwd, place } = context;
      const folders = memoryFolders(place);
      const found = findMemory(words.join(" "), folders, { cwd });
      refuseAuto(found, "pin");
      const { memory, folder } = found;
      const pinned = options.off !== true;
      if (memory.pinned !== pinned) {
        const change = revision(found, { pinned }, { what: pinned ? "pin" : "unpin" });
        const keepsTrust = !mayRead(folder, memory.digest);
        await carryOutOne(keepsTrust ? { ...change, keepsTrust } : change, surroundings(context));
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
