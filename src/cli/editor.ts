import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { MemoError, messageOf } from "../errors.ts";
import type { Env } from "../paths.ts";

/** Opens a file in the person's editor and waits until it is closed. */
export function openInEditor(path: string, env: Env, platform: string = process.platform): void {
  const editor = editorOf(env, platform);
  const options = { stdio: "inherit", env: { ...env } } as const;
  const [program, ...args] = splitCommand(editor);
  const { error, status, signal } = platform === "win32"
    ? spawnSync(`${editor} "${path}"`, { ...options, shell: true }) // editors are often .cmd files
    : spawnSync(program!, [...args, path], options);
  if (error === undefined && status === 0) return;
  const because = error ? messageOf(error) : `it ended with ${signal ?? `exit code ${status}`}`;
  throw new MemoError("usage", `Cannot edit \`${path}\` with \`${editor}\`: ${because}`, {
    hint: `Name an editor in \`$VISUAL\` or \`$EDITOR\`, as in \`EDITOR=nano memo edit NAME\``,
  });
}

/** The command that opens the person's editor. */
export function editorOf(env: Env, platform: string): string {
  const chosen = env["VISUAL"]?.trim() || env["EDITOR"]?.trim();
  return chosen || (platform === "win32" ? "notepad" : "vi");
}

/** A command as a program and its arguments; quotes hold words together, and so does a program that exists. */
export function splitCommand(command: string): string[] {
  if (existsSync(command)) return [command];
  const words = command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [command];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
