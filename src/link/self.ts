import { fileURLToPath } from "node:url";
import { BUILD, VERSION } from "../version.ts";

/** Whether this is the executable, and not the sources run by Deno. */
export const isCompiled: boolean = BUILD !== `${VERSION}-dev`;

/** How a program is started: arguments of its own come before the caller's. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The permissions that memo needs where Deno runs its sources; `deno task memo` and the documents name the same. */
export const PERMISSIONS = ["read", "write", "env", "sys", "ffi", "net", "run"] as const;

/** As much of Deno as tells what its caller has allowed; nothing else does. */
interface Runtime {
  readonly permissions: { querySync(what: { name: string }): { readonly state: string } };
}

/** How to start this very memo again, with no more permissions than this one has. */
export function selfCommand(): Command {
  if (isCompiled) return { command: process.execPath, args: [] };
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return { command: process.execPath, args: ["run", "--no-prompt", ...granted(), main] };
}

/** Flags for what is granted without limits. What is limited to some paths cannot be asked for, and is not passed on. */
function granted(): string[] {
  const { permissions } = (globalThis as unknown as { readonly Deno: Runtime }).Deno;
  return PERMISSIONS.filter((name) => permissions.querySync({ name }).state === "granted")
    .map((name) => `--allow-${name}`);
}
