import { fileURLToPath } from "node:url";
import { BUILD, VERSION } from "../../version.ts";

/** Whether this is the executable rather than the sources run by Deno. */
export const isCompiled: boolean = BUILD !== `${VERSION}-dev`;

/** A program with the arguments that come before the caller's. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The permissions that memo needs when Deno runs its sources; `deno task memo` and the documentation name the same. */
export const PERMISSIONS = ["read", "write", "env", "sys", "ffi", "net", "run"] as const;

/** The part of Deno that shows the permissions it was started with; no other API does. */
interface DenoRuntime {
  readonly permissions: { querySync(what: { name: string }): { readonly state: string } };
}

/** The command that starts this memo again, with no more permissions than this process has. */
export function selfCommand(): Command {
  if (isCompiled) return { command: process.execPath, args: [] };
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  return { command: process.execPath, args: ["run", "--no-prompt", ...granted(), main] };
}

/** Flags for permissions granted without limits: one for some paths cannot be queried, and is not passed on. */
function granted(): string[] {
  const { permissions } = (globalThis as unknown as { readonly Deno: DenoRuntime }).Deno;
  return PERMISSIONS.filter((name) => permissions.querySync({ name }).state === "granted")
    .map((name) => `--allow-${name}`);
}
