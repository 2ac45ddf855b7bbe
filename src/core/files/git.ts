// Runs git for memo's own repositories: none of the user's hooks, filters or signatures, and never a question.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { text } from "node:stream/consumers";
import { codeOf, MemoError } from "../../errors.ts";
import { tooLarge } from "./bounded.ts";
import { safeFolders } from "./search_path.ts";

type GitEnv = Readonly<Record<string, string | undefined>>;

interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface Limits {
  readonly timeoutMs?: number;
  /** Ends git when it prints more; a tree can name itself a billion times. */
  readonly maxBytes?: number;
}

interface GitOptions extends Limits {
  readonly env: GitEnv;
  /** The repository, or a folder in one. */
  readonly folder: string;
  readonly input?: string | Uint8Array;
  /** Of a repository that is not memo's own: no remote that it names is reached. */
  readonly isOffline?: boolean;
}

/** Where git usually is; a search path may lead into a repository. */
export const USUAL_GITS = [
  "/usr/bin/git",
  "/usr/local/bin/git",
  "/opt/homebrew/bin/git",
  "C:\\Program Files\\Git\\cmd\\git.exe",
];
/** Nothing of the user's configuration may run a program, change bytes, or ask. Credential helpers still work. */
const QUIET = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.autocrlf=false"],
  ...["core.quotePath=false", "core.askPass=", "commit.gpgSign=false", "push.gpgSign=false"],
  // A large file of a remote is streamed, and stays packed.
  ...["core.bigFileThreshold=16m", "fetch.unpackLimit=1"],
  // Each commit has a list of all files: packed, they are a hundredth of their size.
  ...["gc.auto=500", "gc.pruneExpire=1.day.ago"],
  ...["gc.autoDetach=false", "protocol.ext.allow=never", "submodule.recurse=false"],
  ...["user.name=memo", "user.email=memo@localhost"],
].flatMap((setting) => ["-c", setting]);
const TIMEOUT_MS = 60_000;
/** Nothing that a partial clone lacks is fetched: an older git knows only the second. No setting overrides them. */
const OFFLINE = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" };
const MAX_BYTES = 256 * 1024 * 1024;

/** The path of git; undefined if it is not installed. */
export function findGit(env: GitEnv, platform: string = process.platform): string | undefined {
  const name = platform === "win32" ? "git.exe" : "git";
  const onPath = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name));
  return [...USUAL_GITS, ...onPath].find((path) => existsSync(path));
}

/** Runs git, and resolves however it ends. Rejects with a MemoError only if there is no git, or it hangs. */
export async function git(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { folder: cwd, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const env = { ...environment(options.env), ...options.isOffline && OFFLINE };
  const path = findGit(env);
  if (path === undefined) throw withoutGit();
  const limits = { timeoutMs, maxBytes };
  const { code, isTooMuch, ...printed } = await run(path, [...QUIET, ...args], {
    ...{ cwd, env, input, ...limits },
  }).catch((error) => {
    throw codeOf(error) === "ENOENT" ? withoutGit() : error;
  });
  if (isTooMuch) {
    const what = `Cannot read what \`git ${nameOf(args)}\` prints: ${tooLarge(maxBytes)}`;
    throw new MemoError("file", what);
  }
  if (code !== null) return { code, ...printed };
  throw new MemoError(
    "timeout",
    `Cannot finish \`git ${nameOf(args)}\`: it took longer than ${timeoutMs / 1000} s`,
    { hint: "Check the connection to the remote, then run `memo sync` again" },
  );
}

/** Runs git to its end; one that takes too long or prints too much is killed, and has no code. */
async function run(
  path: string,
  args: readonly string[],
  { cwd, env, input = "", timeoutMs, maxBytes, signal }: Required<Limits> & {
    readonly cwd?: string;
    readonly env: GitEnv;
    readonly input?: string | Uint8Array | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<
  Omit<GitResult, "code"> & { readonly code: number | null; readonly isTooMuch: boolean }
> {
  const options = { cwd, env, timeout: timeoutMs, signal, windowsHide: true };
  const child = spawn(path, args, { ...options, stdio: "pipe" });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  child.stdin.on("error", () => {}); // git may end before it has read all
  child.stdin.end(input);
  const parts: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (part) => {
    bytes += part.length;
    if (bytes > maxBytes) child.kill("SIGKILL");
    else parts.push(part);
  });
  const [code, stderr] = await Promise.all([ended, text(child.stderr)]);
  return { code, stdout: Buffer.concat(parts), stderr, isTooMuch: bytes > maxBytes };
}

/** The output of a git command that must not fail. */
export async function gitOutput(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const { code, stdout, stderr } = await git(args, options);
  if (code === 0) return stdout;
  throw new MemoError("file", `Cannot run \`git ${nameOf(args)}\`: ${firstLine(stderr)}`);
}

/** The line of git's errors that says what is wrong. */
export function firstLine(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const fatal = lines.find((line) => /^(?:fatal|error|ERROR|remote):/.test(line));
  return (fatal ?? lines[0] ?? "it failed without a message").slice(0, 300);
}

/** git's id of a content. */
export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/**
 * The environment without git's own variables, and set so that nothing asks. Git looks for `ssh` and for credential
 * helpers on the search path, so nothing of the project that memo was started in may be on it.
 */
function environment(env: GitEnv): Record<string, string> {
  const own = Object.entries(env).filter(([name, value]) =>
    value !== undefined && (!name.startsWith("GIT_") || name === "GIT_SSH_COMMAND")
  ) as [string, string][];
  const path = Object.keys(env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  return {
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes -o ConnectTimeout=15",
    ...Object.fromEntries(own),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    LC_ALL: "C",
    [path]: safeFolders(env[path] ?? "", { project: projectHere(), home: env["HOME"] ?? homedir() })
      .join(delimiter),
  };
}

/** The repository around the working directory, or that directory itself. */
function projectHere(): string {
  const here = process.cwd();
  for (let folder = here;; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return here;
  }
}

function withoutGit(): MemoError {
  return new MemoError("not-found", "Cannot find git", {
    hint: "Install git; it is all `memo sync` needs",
  });
}

function nameOf(args: readonly string[]): string {
  return args.find((arg) => !arg.startsWith("-")) ?? "";
}

// Questions to git about a repository, which is not trusted: it must neither run a program nor reach a network.
/** Without these tools `/usr/bin/git` on macOS opens a dialog. */
const MAC_TOOLS = ["/Library/Developer/CommandLineTools", "/Applications/Xcode.app"];

/** The repository's own configuration must not run a program, nor cause network access. */
const SAFE = [
  ...["-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "core.quotePath=false"],
  ...["-c", "core.hooksPath=/dev/null", "--no-pager", "--no-optional-locks"],
];
const ENVIRONMENT = { ...OFFLINE, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** Maximum time of a question; without an answer nothing is known. */
const QUESTION_TIMEOUT_MS = 2000;

/** The limits of a question, and what git reads. */
export interface GitQuestion extends Limits {
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
  { maxBytes = Infinity, timeoutMs = QUESTION_TIMEOUT_MS, ...question }: GitQuestion = {},
): Promise<Buffer | undefined> {
  const isMissing = process.platform === "darwin" && !MAC_TOOLS.some((path) => existsSync(path));
  const git = isMissing ? undefined : USUAL_GITS.find((path) => existsSync(path));
  if (git === undefined) return undefined;
  const { PATH: _, ...env } = process.env;
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  try {
    const { code, stdout, isTooMuch } = await run(git, [...SAFE, "-C", folder, ...args], {
      ...{ ...question, maxBytes, timeoutMs },
      env: { ...Object.fromEntries(own), ...ENVIRONMENT },
    });
    return code === null || isTooMuch ? undefined : stdout;
  } catch {
    return undefined; // it does not run
  }
}
