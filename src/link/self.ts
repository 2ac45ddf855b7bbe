import { fileURLToPath } from "node:url";
import { BUILD, VERSION } from "../version.ts";

/** Whether this is the executable, and not the sources run by Deno. */
export const isCompiled: boolean = BUILD !== `${VERSION}-dev`;

/** How a program is started: arguments of its own come before the caller's. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** How to start this very memo again. */
export function selfCommand(): Command {
  if (isCompiled) return { command: process.execPath, args: [] };
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return { command: process.execPath, args: ["run", "-A", main] };
}
