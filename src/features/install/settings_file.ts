import { accessSync, constants, existsSync, lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, MemoError, messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../../core/files/atomic.ts";
import { nearestThere, realPathOf } from "../../core/files/real_path.ts";
import { orNothing } from "../../core/files/there.ts";
import { readRegular } from "../../core/files/bounded.ts";
import { managedSettings, MAX_SETTINGS } from "../../core/memory/claude_settings.ts";
import { isWithin, realPath } from "../../core/memory/project.ts";
import type { Paths } from "../../paths.ts";
import { selfCommand } from "../../core/link/self.ts";
import { recognise } from "./entries.ts";
import { ownEntries } from "./parts.ts";

/** Whose settings: the user's, those a project shares, or the user's own in a project. */
export const SETTINGS_SCOPES = ["user", "project", "local"] as const;
export type SettingsScope = typeof SETTINGS_SCOPES[number];

/** A settings file as it lies on disk. */
export interface SettingsFile {
  /** Where Claude Code looks for it. */
  readonly path: string;
  /** The file to write: the same, or the target of a symbolic link. */
  readonly target: string;
  /** undefined if the file does not exist. */
  readonly text: string | undefined;
  readonly mode: number;
}

/** Where Claude Code keeps the settings of a scope, seen from the working directory. */
export function settingsPath(scope: SettingsScope, paths: Paths, cwd: string): string {
  if (scope === "user") return join(paths.claude, "settings.json");
  const name = scope === "project" ? "settings.json" : "settings.local.json";
  return join(projectRoot(cwd, paths.claude), ".claude", name);
}

/** Reads settings; a byte that is not UTF-8 is an error, because writing the text back would change it. */
export function readSettings(path: string, name: string): SettingsFile {
  const target = resolveLink(path, name);
  if (!existsSync(target)) return { path, target, text: undefined, mode: 0o600 };
  let bytes: Buffer;
  try {
    bytes = readRegular(target, MAX_SETTINGS);
  } catch (error) {
    throw unusable("read", name, error);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) {
    throw new MemoError("file", `Cannot edit \`${name}\`: it is not UTF-8 text`, {
      hint: "Save the file as UTF-8, then run the command again",
    });
  }
  return { path, target, text, mode: statSync(target).mode & 0o777 };
}

/** Throws for settings of a project that lie outside it, links followed: they are somebody else's. */
export function refuseOutside({ path }: SettingsFile, scope: SettingsScope, name: string): void {
  const root = dirname(dirname(path));
  if (scope === "user" || isWithin(realPath(path), realPath(root))) return;
  throw new MemoError("file", `Cannot edit \`${name}\`: a link leads out of \`${root}\``, {
    hint: "Make `.claude` a folder in the project, or run `memo init` for all projects",
  });
}

/** Where the copy of the file before the last change is kept. */
export function backupPath(file: SettingsFile): string {
  return `${file.path}.memo-backup`;
}

/** Why a settings file cannot be written, by the system's code for it. */
const LOCKED: Readonly<Record<string, string>> = {
  EROFS: "its disk is read-only",
  EPERM: "it is immutable",
  EACCES: "you cannot write to its folder",
};

/** Why nobody can write a settings file, or this user cannot; undefined if it can be replaced. */
export function whyLocked(
  { path, target }: Pick<SettingsFile, "path" | "target">,
): string | undefined {
  const folder = nearestThere(dirname(target));
  const isLink = path !== target && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink && (statSync(folder).mode & 0o222) === 0) { // not even its owner
    return "it is a read-only link, as made by home-manager or NixOS";
  }
  const refusalOf = (path: string) => {
    try {
      return void accessSync(path, constants.W_OK);
    } catch (error) {
      return codeOf(error);
    }
  };
  const own = existsSync(target) ? refusalOf(target) : undefined;
  // A file that is read-only by its mode alone is replaced, with the same mode.
  return LOCKED[own === "EACCES" ? "" : own ?? ""] ?? LOCKED[refusalOf(folder) ?? ""];
}

/** Writes settings atomically, after a backup of the old ones; without `backup` an older backup is deleted. The mode stays. */
export function writeSettings(
  file: SettingsFile,
  text: string,
  { backup, paste }: {
    readonly backup: boolean;
    /** What to add to the configuration that makes the file, where nobody may write it. */
    readonly paste?: string | undefined;
  },
): void {
  const locked = whyLocked(file);
  if (locked !== undefined) {
    throw new MemoError("file", `Cannot write \`${file.path}\`: ${locked}`, {
      hint: paste === undefined
        ? "Change the configuration that generates the file"
        : `Add this to the file, or to the configuration that generates it:\n\n${paste}`,
    });
  }
  try {
    mkdirSync(dirname(file.target), { recursive: true, mode: 0o700 });
    if (!backup) rmSync(backupPath(file), { force: true });
    else if (file.text !== undefined) {
      writeFileAtomic(backupPath(file), file.text, { mode: 0o600 });
    }
    writeFileAtomic(file.target, text, { mode: file.mode });
  } catch (error) {
    throw unusable("write", file.path, error);
  }
}

function unusable(what: string, name: string, error: unknown): MemoError {
  return new MemoError("file", `Cannot ${what} \`${name}\`: ${messageOf(error)}`, {
    hint: "Check that you own the file and can write to its folder, then run the command again",
    cause: error,
  });
}

/** Follows a symbolic link at `path`; one that leads nowhere is an error, not a file to create. */
function resolveLink(path: string, name: string): string {
  try {
    return realPathOf(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw unusable("read", name, error);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new MemoError(
        "file",
        `Cannot edit \`${name}\`: it is a broken symbolic link`,
        { hint: `Create its target or remove the link, then run the command again` },
      );
    }
    return path;
  }
}

/** The nearest folder, upwards, that has `.claude` or `.git`; the working directory if none has. */
function projectRoot(cwd: string, claude: string): string {
  for (let folder = cwd;; folder = dirname(folder)) {
    const own = join(folder, ".claude");
    if ((own !== claude && existsSync(own)) || existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** Whether settings that apply in a folder have hooks of memo's. */
export function settingsHaveHooks(paths: Paths, cwd: string): boolean {
  const isOwn = recognise([selfCommand()]);
  const managed = managedSettings().map(({ values }) => JSON.stringify(values));
  return managed.some((text) => ownEntries(text, isOwn).length > 0) ||
    SETTINGS_SCOPES.some((scope) => {
      const read = () =>
        readRegular(settingsPath(scope, paths, cwd), MAX_SETTINGS).toString("utf8");
      return orNothing(() => ownEntries(read(), isOwn).length > 0);
    });
}
