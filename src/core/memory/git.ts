// Questions to git about a repository, which is not trusted: it must neither run a program nor reach a network.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { USUAL_GITS } from "../files/git.ts";

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

/** The limits of a question, and what git reads. */
export interface GitQuestion {
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly input?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What git prints in a folder; empty if it fails, takes too long, prints more than `maxBytes`, or is not there. */
export async function askGit(
  folder: string,
  args: readonly string[],
  question: GitQuestion = {},
): Promise<string> {
  return (await answerOfGit(folder, args, question))?.toString("utf8") ?? "";
}

/** The same as bytes; undefined where nothing can be told. */
export async function answerOfGit(
  folder: string,
  args: readonly string[],
  question: GitQuestion = {},
): Promise<Buffer | undefined> {
  const git = findGit();
  return git === undefined ? undefined : await run(git, [...SAFE, "-C", folder, ...args], question);
}

function findGit(): string | undefined {
  if (process.platform === "darwin" && !MAC_TOOLS.some((path) => existsSync(path))) {
    return undefined;
  }
  return USUAL_GITS.find((path) => existsSync(path));
}

/** The output of git up to the limits; undefined if one is reached or git does not run. */
async function run(
  git: string,
  args: readonly string[],
  { maxBytes = Infinity, timeoutMs = TIMEOUT_MS, input, signal }: GitQuestion,
): Promise<Buffer | undefined> {
  const { PATH: _, ...env } = process.env;
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  const child = spawn(git, args, {
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    env: { ...Object.fromEntries(own), ...ENVIRONMENT },
    timeout: timeoutMs,
    signal,
    windowsHide: true,
  });
  child.stdin?.on("error", () => {}); // git may end before it has read all
  child.stdin?.end(input);
  const isWhole = new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (_code, signal) => resolve(signal === null));
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of child.stdout!) {
      parts.push(part);
      if ((bytes += part.length) > maxBytes) child.kill();
    }
    return await isWhole ? Buffer.concat(parts) : undefined;
  } catch {
    return undefined;
  }
}
