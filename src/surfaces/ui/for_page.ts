import { isWithin } from "../../core/memory/project.ts";
import { tilde } from "../../paths.ts";
import type { CallContext } from "./calls/call.ts";

/** An absolute path in a message: memo writes paths between backticks, the system between quotes. */
const PATH = /(?<![\w.~/\\-])(?:\/|[A-Za-z]:\\)[^\s`'"“”,;:()<>]*/g;

/** A message for the page: of a path outside the user's memories it keeps the name alone. */
export function forPage(
  message: string,
  { paths, env }: Pick<CallContext, "paths" | "env">,
): string {
  return message.replace(PATH, (path) => {
    if (path.length === 1) return path;
    return isWithin(path, paths.userMemory)
      ? tilde(path, env)
      : path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
  });
}
