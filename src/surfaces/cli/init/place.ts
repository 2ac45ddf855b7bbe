import { delimiter, dirname, join } from "node:path";
import { placeExecutable } from "../../../features/install/placed.ts";
import { inCache, runnerOf } from "../../../features/install/runner.ts";
import { tilde } from "../../../paths.ts";
import { isCompiled } from "../../../core/link/self.ts";
import type { CliContext } from "../shared/command.ts";
import { type Plan, settled, type Step, YES_OR_NO, yesOrNo } from "./step.ts";

/** Copies memo out of a package runner's cache, so that hooks can rely on it. */
export const place: Step = {
  name: "place",
  title: "Executable",
  summary: "Copy memo out of npx's cache",
  answers: YES_OR_NO,
  plan: planPlace,
};

function planPlace({ paths, env }: CliContext): Plan {
  const runner = isCompiled ? runnerOf(process.execPath) : undefined;
  if (runner === undefined) return settled();
  const because = inCache(runner, tilde(process.execPath, env));
  // There a program cannot be deleted while it runs, so nothing could take the copy away again.
  if (process.platform === "win32") return settled(because, `Run \`${runner.instead}\` instead`);
  const executable = join(paths.home, ".local/bin/memo");
  const folder = dirname(executable);
  const isOnPath = (env["PATH"] ?? "").split(delimiter).includes(folder);
  return yesOrNo("Copy it?", [
    because,
    `Copies it to \`${tilde(executable, env)}\`; \`memo uninstall --purge\` deletes it`,
    ...isOnPath
      ? []
      : [`\`${tilde(folder, env)}\` is not on your \`PATH\`: add it to run \`memo\``],
  ], () => {
    placeExecutable(paths, process.execPath, executable);
    return { did: [`Copied memo to \`${tilde(executable, env)}\``], executable };
  });
}
