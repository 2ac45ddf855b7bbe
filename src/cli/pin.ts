import type { Command } from "commander";
import { readMemoryFile } from "../memory/folder.ts";
import { pin } from "../verbs/pin.ts";
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
      const pinned = options.off !== true;
      const { said } = await pin([found], pinned, surroundings(context));
      const { memory: { path, scope }, folder } = found;
      const after = readMemoryFile(path, scope);
      if (options.json) return outJson({ ...describe(after, folder, new Date()), pinned });
      outPath(path);
      say(pinned ? `${said}; every session begins with its title` : said);
    });
}
