// Questions to git about a repository, which is not trusted: it must neither run a program nor reach a network.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** Absolute paths only: a search path may lead into the repository itself. */
const GITS = [
  "/usr/bin/git",
  "/usr/local/bin/git",
  "/opt/homebrew/bin/git",
  "C:\\Program Files\\Git\\cmd\\git.exe",
];
/** Without these tools `/usr/bin/git` on macOS opens a dialog. */
const MAC_TOOLS = ["/Library/Developer/CommandLineTools", "/Applications/Xcode.app"];

/** The repository's own configuration must not run a program, nor cause network access. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "core.quotePath=false"],
  ...["-c", "core.hooksPath=/dev/null", "--no-pager", "--no-optional-locks"],
];
const ENVIRONMENT = { GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** Maximum time of a question; without an answer nothing is known. */
const TIMEOUT_MS = 2000;

/** What git prints in a folder; empty if it fails, takes too long, prints more than `maxBytes`, or is not there. */
export async function askGit(
  folder: string,
  args: readonly string[],
  { maxBytes = Infinity }: { readonly maxBytes?: number } = {},
): Promise<string> {
  const git = findGit();
  return git === undefined ? "" : await run(git, [...SAFE, "-C", folder, ...args], maxBytes);
}

function findGit(): string | undefined {
  if (process.platform === "darwin" && !MAC_TOOLS.some((path) => existsSync(path))) {
    return undefined;
  }
  return GITS.find((path) => existsSync(path));
}

/** The output of git up to the time limit; empty if it fails. */
async function run(git: string, args: readonly string[], maxBytes: number): Promise<string> {
  const { PATH: _, ...env } = process.env;
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const child = spawn(git, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...Object.fromEntries(own), ...ENVIRONMENT },
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  const isWhole = new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (_code, signal) => resolve(signal === null));
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of child.stdout) {
      parts.push(part);
      if ((bytes += part.length) > maxBytes) child.kill();
    }
    return await isWhole ? Buffer.concat(parts).toString("utf8") : "";
  } catch {
    return "";
  }
}
