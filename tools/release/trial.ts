import { spawnSync } from "node:child_process";
import { messageOf } from "../../src/errors.ts";
import type { Compiled } from "../compile/compile.ts";
import { HOST, type Target } from "../compile/targets.ts";
import { emulatorFor, muslRoot } from "./roots.ts";
import { smoke, type SmokeOptions } from "./smoke.ts";

/** Tries an executable as far as this machine can, and says how far. Throws when it runs and fails. */
export function trialHere({ path }: Compiled, target: Target): string {
  const way = wayToRun(target);
  if (typeof way === "string") return `checked by structure (${way})`;
  smoke(path, way);
  const steps = way.withoutModel
    ? "version, add, list"
    : "version, add, recall, hook, install, uninstall";
  return `run: ${steps}${way.as}`;
}

/** How a target runs here, or why it does not. */
function wayToRun({ name }: Target): SmokeOptions & { readonly as: string } | string {
  const [platform, , libc] = name.split("-");
  if (name === HOST) return { as: "" };
  if (platform !== "linux" || process.platform !== "linux") return "other system";
  try {
    if (
      name.replace("-musl", "") === HOST && (process.arch === "x64" || process.arch === "arm64")
    ) {
      needNamespaces();
      return { root: muslRoot(process.arch), as: " in a musl root" };
    }
    const as = libc === undefined ? " under qemu" : " under qemu with musl";
    return { under: emulatorFor(name), alone: true, withoutModel: libc === "musl", as };
  } catch (error) {
    return messageOf(error);
  }
}

/** Throws where only root may change the root: some systems and containers forbid it to others. */
function needNamespaces(): void {
  const { status } = spawnSync("unshare", ["--user", "--map-root-user", "true"]);
  if (status !== 0) throw new Error("no user namespaces here");
}
