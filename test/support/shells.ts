import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackDebian } from "./debian.ts";

/** How a shell is started without anybody's start files, and what it runs first. */
export interface ShellCommand {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly setUp: string;
}

/** The shells with completions that run here, Debian's packages unpacked where the machine has none. */
export const SHELLS = {
  bash: (): ShellCommand => ({ argv: ["bash", "--norc", "--noprofile"], env: {}, setUp: "" }),
  zsh: (): ShellCommand | undefined => {
    const root = rootOf("zsh", "zsh");
    if (root === undefined) return undefined;
    const modules = globSync(join(root, "usr/lib/*/zsh/*"))[0];
    const functions = globSync(join(root, "usr/share/zsh/functions/*")).join(" ");
    const paths = root === "/" ? "" : `module_path=(${modules}) fpath=(${functions}); `;
    const setUp = `${paths}autoload -Uz compinit && compinit -u -D`;
    return { argv: [join(root, "usr/bin/zsh"), "-f"], env: libraries(root), setUp };
  },
  fish: (): ShellCommand | undefined => {
    const root = rootOf("fish", "fish");
    if (root === undefined) return undefined;
    const argv = [join(root, "usr/bin/fish"), "--no-config"];
    return { argv, env: libraries(root), setUp: "" };
  },
} as const;

/** The root under which a shell is installed or unpacked; undefined if it cannot be had. */
function rootOf(command: string, name: string): string | undefined {
  if (existsSync(join("/usr/bin", command))) return "/";
  const root = unpackDebian(name, join(tmpdir(), `memo-test-${name}`));
  if (root === undefined) return undefined;
  const { status } = spawnSync(join(root, "usr/bin", command), ["-c", "true"], {
    env: { PATH: process.env["PATH"] ?? "", ...libraries(root) },
  });
  return status === 0 ? root : undefined;
}

function libraries(root: string): Record<string, string> {
  return root === "/"
    ? {}
    : { LD_LIBRARY_PATH: globSync(join(root, "usr/lib/*-linux-*")).join(":") };
}
