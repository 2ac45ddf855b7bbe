// What a shell has to load. Each script hands the typed words to memo and shows what comes back: no word is
// evaluated, and no candidate is expanded, so neither a half-typed `$(…)` nor the name of a file can run anything.

import bash from "./memo.bash" with { type: "text" };
import fish from "./memo.fish" with { type: "text" };
import powershell from "./memo.ps1" with { type: "text" };
import zsh from "./memo.zsh" with { type: "text" };

/** The marker by which memo leaves an argument to the shell's own completion of paths. */
export const FILES = ":files";

/** The script of each shell, in display order. */
export const SCRIPTS = { bash, zsh, fish, powershell } as const;

export type Shell = keyof typeof SCRIPTS;
