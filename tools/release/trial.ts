import { spawnSync } from "node:child_process";
import { messageOf } from "../../src/errors.ts";
import type { Compiled } from "../compile/compile.ts";
import { HOST, type Target } from "../compile/targets.ts";
import { emulatorFor, muslRoot } from "./roots.ts";
import { smoke, type SmokeOptions } from "./smoke.ts";

/** Tries an executable where this machine can; says how far. Throws when it runs and does wrong. */
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
  if (platform !== "linux" || process.platform !== "linux") return "another system";
  try {
    if (
      name.replace("-musl", "") === HOST && (process.arch === "x64" || process.arch === "arm64")
    ) {
      needNamespaces();
      return { root: muslRoot(process.arch), as: " in a root with musl" };
    }
    const as = libc === undefined ? " under qemu" : " under qemu with musl";
    return { under: emulatorFor(name), alone: true, withoutModel: libc === "musl", as };
  } catch (error) {
    return messageOf(error);
  }
}

/** Throws where nobody but root may have another root: some systems and containers forbid it. */
function needNamespaces(): void {
  const { status } = spawnSync("unshare", ["--user", "--map-root-user", "true"]);
  if (status !== 0) throw new Error("no user namespaces here");
}
