import { SCRIPTS } from "../../src/surfaces/cli/completions.ts";
import type { ArchiveFile } from "./archive.ts";

/** The completions, which packages put where shells look for them. */
export function documents(): ArchiveFile[] {
  const texts = {
    "completions/memo.bash": SCRIPTS.bash,
    "completions/_memo": SCRIPTS.zsh,
    "completions/memo.fish": SCRIPTS.fish,
    "completions/memo.ps1": SCRIPTS.powershell,
  };
  return Object.entries(texts).map(([name, text]) => ({ name, data: Buffer.from(text) }));
}
