import type { Unreadable } from "../../../core/memory/folder.ts";
import { tilde } from "../../../paths.ts";
import type { CliContext } from "./command.ts";
import { say } from "./output.ts";

/** Names files and folders that are there and cannot be read. */
export function printUnreadable(failed: readonly Unreadable[], { env }: CliContext): void {
  for (const { path, because } of failed) {
    say(`warning: Cannot read \`${tilde(path, env)}\`: ${because}`);
  }
}
