import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { MemoError, messageOf } from "../../../errors.ts";
import type { Env } from "../../../paths.ts";
import { shellWords } from "../../../core/text/shell_words.ts";

/** Opens a file in the user's editor and waits until it is closed. */
export function openInEditor(path: string, env: Env, platform: string = process.platform): void {
  const editor = editorOf(env, platform);
  if (needsTerminal(editor) && !process.stdin.isTTY) {
    throw new MemoError("usage", `Cannot open \`${editor}\`: there is no terminal`, {
      hint: "Run it in a terminal, or set `$EDITOR` to an editor with a window",
    });
  }
  const options = { stdio: "inherit", env: { ...env } } as const;
  const [program, ...args] = splitCommand(editor);
  const { error, status, signal } = platform === "win32"
    ? spawnSync(`${editor} "${path}"`, { ...options, shell: true }) // editors are often .cmd files
    : spawnSync(program!, [...args, path], options);
  if (error === undefined && status === 0) return;
  const because = error ? messageOf(error) : `it exited with ${signal ?? `code ${status}`}`;
  throw new MemoError("usage", `Cannot edit \`${path}\` with \`${editor}\`: ${because}`, {
    hint: `Set \`$VISUAL\` or \`$EDITOR\`, for example \`EDITOR=nano memo edit NAME\``,
  });
}

const TERMINAL_EDITORS =
  /^(?:vim?|nvim|view|ex|ed|nano|pico|micro|hx|helix|kak|joe|jed|mcedit|ne)$/;

/** Whether an editor is known to wait for keys at a terminal; where there is none it would wait for ever. */
function needsTerminal(editor: string): boolean {
  const [program = ""] = splitCommand(editor);
  return TERMINAL_EDITORS.test(basename(program));
}

/** The command that opens the user's editor. */
function editorOf(env: Env, platform: string): string {
  const chosen = env["VISUAL"]?.trim() || env["EDITOR"]?.trim();
  return chosen || (platform === "win32" ? "notepad" : "vi");
}

/** Splits a command into program and arguments; quotes, or a program with spaces that exists, keep words together. */
export function splitCommand(command: string): string[] {
  if (existsSync(command)) return [command];
  return shellWords(command);
}
