import type { Command } from "commander";
import { carryOutOne } from "../change/carry_out.ts";
import { revision } from "../change/change.ts";
import { refuseForeign } from "../change/own.ts";
import { mayRead } from "../memory/trust.ts";
import { readMemoryFile } from "../memory/folder.ts";
import { surroundings } from "./shared/change.ts";
import type { CliContext } from "./shared/command.ts";
import { describe } from "./shared/describe.ts";
import { findOne, NAMES } from "./shared/find.ts";
import { outJson, outPath, say } from "./shared/output.ts";

/** `memo pin`: keeps a memory's title in every start block. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<name...>", `Memory: ${NAMES}`)
    .option("--off", "Unpin it")
    .option("--json", "Print JSON")
    .action(async (words: string[], options: { off?: boolean; json?: boolean }) => {
      const found = await findOne(words, context);
      refuseForeign(found, "pin");
      const { memory, folder } = found;
      const pinned = options.off !== true;
      if (memory.pinned !== pinned) {
        const change = revision(found, { pinned }, { what: pinned ? "pin" : "unpin" });
        const keepsTrust = !mayRead(folder, memory.digest);
        await carryOutOne(keepsTrust ? { ...change, keepsTrust } : change, surroundings(context));
      }
      const after = readMemoryFile(memory.path, memory.scope);
      if (options.json) return outJson({ ...describe(after, folder, new Date()), pinned });
      outPath(memory.path);
      say(
        pinned
          ? `Pinned “${memory.name}”; every session begins with its title`
          : `Unpinned “${memory.name}”`,
      );
    });
}
