import { buildProgram } from "../../src/cli/mod.ts";
import { SCRIPTS } from "../../src/cli/complete/scripts.ts";
import { manualPage } from "../../src/cli/help/man.ts";
import { contextIn } from "../../src/cli/shared/command.ts";
import type { ArchiveFile } from "./archive.ts";

/** The manual page and the completions, which packages put where shells and `man` look for them. */
export async function documents(): Promise<ArchiveFile[]> {
  const context = contextIn({ HOME: "/" }, "/");
  const texts = {
    "memo.1": manualPage(await buildProgram(context, "*"), context),
    "completions/memo.bash": SCRIPTS.bash,
    "completions/_memo": SCRIPTS.zsh,
    "completions/memo.fish": SCRIPTS.fish,
    "completions/memo.ps1": SCRIPTS.powershell,
  };
  return Object.entries(texts).map(([name, text]) => ({ name, data: Buffer.from(text) }));
}
