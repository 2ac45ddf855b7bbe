import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { withFolderBeside } from "../../core/files/folder_beside.ts";

const TRIAL_MS = 30_000;

/** Where an executable is, and where the one before it is kept. */
export interface Place {
  readonly executable: string;
  /** A folder of memo's state. */
  readonly previous: string;
}

/**
 * Puts another executable in the place of this one: writes it beside, has it say its version, keeps the present one,
 * and renames. Whatever goes wrong before the rename changes nothing.
 */
export function replaceExecutable(bytes: Uint8Array, version: string, place: Place): void {
  install(place, version, (fresh) => writeFileSync(fresh, bytes, { flush: true }));
}

/** Puts the executable back that the last upgrade replaced, which is then the one to go back to. Returns its version. */
export function rollBack(place: Place): string {
  const kept = join(place.previous, basename(place.executable));
  if (!existsSync(kept)) {
    throw new MemoError("not-found", "Cannot roll back: there is no previous version", {
      hint: "Run `memo upgrade --to VERSION` to fetch a certain one",
    });
  }
  const version = versionOf(kept);
  install(place, version, (fresh) => copyFileSync(kept, fresh));
  return version;
}

function install(place: Place, version: string, write: (fresh: string) => void): void {
  const { executable } = place;
  try {
    withFolderBeside(executable, (folder) => {
      const fresh = join(folder, basename(executable));
      write(fresh);
      chmodSync(fresh, statSync(executable).mode & 0o777);
      const said = versionOf(fresh);
      if (said !== version) {
        throw new MemoError("file", `The release ${version} has a memo that says it is ${said}`);
      }
      keep(place);
      renameSync(fresh, executable);
    });
  } catch (cause) {
    if (cause instanceof MemoError) throw cause;
    throw new MemoError("file", `Cannot replace \`${executable}\`: ${messageOf(cause)}`, {
      cause,
      hint: ["EACCES", "EPERM", "EROFS"].includes(codeOf(cause) ?? "")
        ? "Upgrade it the way that it was installed, or as the user who did"
        : "Nothing was changed. Free some space there, and run `memo upgrade` again",
    });
  }
}

/** What an executable says that it is; throws when it does not run here. */
export function versionOf(executable: string): string {
  const { stdout, status, error } = spawnSync(executable, ["--version"], {
    encoding: "utf8",
    timeout: TRIAL_MS,
    windowsHide: true,
  });
  const version = /^memo (\S+)/.exec(stdout ?? "")?.[1];
  if (status === 0 && version !== undefined) return version;
  throw new MemoError(
    "file",
    `Cannot use the memo that was fetched: it does not run here${
      error ? ` (${messageOf(error)})` : ""
    }`,
    { hint: "Nothing was changed. Run `memo --version` to see which platform this memo is for" },
  );
}

/** Keeps the present executable as the one to go back to, without ever being without one. */
function keep({ executable, previous }: Place): void {
  mkdirSync(previous, { recursive: true, mode: 0o700 });
  const kept = join(previous, basename(executable));
  withFolderBeside(kept, (folder) => {
    const fresh = join(folder, basename(executable));
    try {
      linkSync(executable, fresh); // it is large
    } catch {
      copyFileSync(executable, fresh); // on another disk
    }
    renameSync(fresh, kept);
  });
  // A running program cannot be overwritten on Windows, but renamed; it goes when no process runs it any more.
  if (process.platform !== "win32") return;
  sweepOld(executable);
  renameSync(executable, `${executable}.old-${process.pid}`);
}

function sweepOld(executable: string): void {
  const folder = dirname(executable);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(executable)}.old-`)) continue;
    try {
      rmSync(join(folder, name));
    } catch { /* it still runs */ }
  }
}

/** The commands that upgrade and remove a memo that a package manager looks after; undefined for others. */
export function keeperOf(
  executable: string,
): { readonly upgrade: string; readonly remove: string } | undefined {
  return KEEPERS.find(({ path }) => path.test(executable));
}

const KEEPERS = [
  {
    path: /[\\/]node_modules[\\/]/,
    upgrade: "npm install --global claude-code-memo@latest",
    remove: "npm uninstall --global claude-code-memo",
  },
  {
    path: /[\\/](Cellar|linuxbrew)[\\/]/,
    upgrade: "brew upgrade memo",
    remove: "brew uninstall memo",
  },
  {
    path: /[\\/]scoop[\\/]apps[\\/]/i,
    upgrade: "scoop update memo",
    remove: "scoop uninstall memo",
  },
] as const;
