import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import type { Readable } from "node:stream";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { messageOf } from "../../errors.ts";
import { writeFileAtomic } from "../files/atomic.ts";
import { isInProject, safeFolders } from "../files/search_path.ts";
import { textAt } from "../files/there.ts";
import type { Env } from "../../paths.ts";
import { GUARDS, isOfSession, neutralEnv, sessionVariables } from "../link/session_env.ts";
import { repositoryRoot } from "../memory/project.ts";
import { parseJson } from "./parse_json.ts";
import {
  brief,
  type CallLimits,
  type Completed,
  type Completion,
  llmError,
  LoginRefused,
  MAX_REPLY_BYTES,
  type Provider,
  type ProviderContext,
  tooLarge,
  UnusableAnswer,
} from "./provider.ts";

/** Claude Code's own variables against telemetry, error reports, updates and whatever else a question does not need. */
const QUIET = [
  "DISABLE_TELEMETRY",
  "DISABLE_ERROR_REPORTING",
  "DISABLE_AUTOUPDATER",
  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
] as const;

/** It would retry ten times, and wait as long as the server asks for; whoever asks here comes again later. */
const RETRIES = { CLAUDE_CODE_MAX_RETRIES: "0" };

/** Maximum bytes kept of its stderr. */
const MAX_STDERR = 8 * 1024;

/** Claude Code with the user's login: `claude -p`, without hooks, tools or a transcript. */
export const claude: Provider = {
  name: "claude",
  checksLocally: true,
  available(context) {
    if (findClaude(context) !== undefined) return undefined;
    const path = context.config["llm.claude_path"];
    return path === "" ? "`claude` was not found" : `\`${path}\` is not an executable`;
  },
  async complete(request, context) {
    const command = findClaude(context);
    if (command === undefined) throw llmError("Cannot find `claude`");
    const model = context.config["llm.model"];
    const finished = await run(command, argumentsFor(request, model), request.prompt, context);
    return readResult(finished, request, model);
  },
  async check(context) {
    const command = findClaude(context);
    if (command === undefined) throw llmError("Cannot find `claude`");
    const ask = (...args: string[]) => run(command, args, "", context);
    const help = await ask("auth", "status", "--help");
    if (help.code !== 0 || help.stdout === "") {
      const said = brief(help.stderr || help.stdout) || `it exited with ${help.code ?? "a signal"}`;
      throw llmError(`\`${command}\` does not start: ${said}`, "Install Claude Code again");
    }
    // An old one would take the words for a prompt, and answer it.
    if (!help.stdout.includes("claude auth status")) return "login not checked";
    const { stdout } = await ask("auth", "status");
    const { loggedIn } = (parseJson(stdout) ?? {}) as { readonly loggedIn?: unknown };
    if (loggedIn === false) throw llmError("`claude` is not logged in", LOGIN_HINT);
    return loggedIn === true ? "logged in" : "login not checked";
  },
};

/**
 * The executable that the settings name, else the one found before, else the first in a safe folder of the search path,
 * else the one where Claude Code installs itself: a shell alias may be all that leads there. A session's search path
 * and configuration folder can be a project's, so the path does not count, nor any login that lies in the project.
 */
export function findClaude({ paths, env, cwd, config }: ProviderContext): string | undefined {
  if (config["llm.claude_path"] !== "") {
    return isExecutable(config["llm.claude_path"]) ? config["llm.claude_path"] : undefined;
  }
  const project = cwd === undefined ? undefined : repositoryRoot(cwd) ?? cwd;
  const where = { project, home: env["HOME"] ?? homedir() };
  const safe = (path: string) => safeFolders(path, where);
  if (isInProject(paths.claude, where)) return undefined;
  const known = textAt(paths.claudeFound)?.trim() ?? "";
  if (isAbsolute(known) && safe(dirname(known)).length > 0 && isExecutable(known)) return known;
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  const { home } = where;
  const folders = [
    ...isOfSession(env) ? [] : [env["PATH"] ?? ""],
    join(home, ".local", "bin"), // by `claude install`, and below by `claude migrate-installer`
    ...[paths.claude, join(home, ".claude")].map((folder) => join(folder, "local")),
  ];
  const found = safe(folders.join(delimiter)).map((folder) => join(folder, name))
    .find(isExecutable);
  if (found !== undefined) writeKnown(paths.claudeFound, found);
  return found;
}

/** Saves the path; if that fails, the next call searches again. */
function writeKnown(path: string, found: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, `${found}\n`, { durable: false });
  } catch {
    // the disk is full, say
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function argumentsFor({ system, schema }: Completion, model: string): string[] {
  return [
    ...["-p", "--safe-mode", "--no-session-persistence", "--tools", "", "--effort", "low"],
    ...["--system-prompt", system, "--model", model, "--output-format", "json"],
    ...schema ? ["--json-schema", JSON.stringify(schema)] : [],
  ];
}

/**
 * Only the login of the session that the question belongs to. A `claude` that is a script finds its interpreter beside
 * it or in the system's folders. The two guards make every memo hook in the child exit immediately, and whatever the
 * session has set, memo's own child sends nothing but the question.
 */
export function childEnv(env: Env, command: string): Record<string, string> {
  const neutral = neutralEnv(env);
  return {
    ...neutral,
    ...sessionVariables(env),
    PATH: [dirname(command), neutral["PATH"]].join(delimiter),
    ...Object.fromEntries([...GUARDS, ...QUIET].map((name) => [name, "1"])),
    ...RETRIES,
  };
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in a process group of its own, which the signal ends as a whole. */
function run(
  command: string,
  args: string[],
  input: string,
  { paths, env: of, signal }: ProviderContext & CallLimits,
): Promise<Finished> {
  // A folder outside any project: files in the working directory would become part of the question.
  const cwd = paths.state, env = childEnv(of, command);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, detached: true, windowsHide: true });
    const fail = (error: Error) => {
      signal.removeEventListener("abort", abort);
      endGroup(child);
      reject(error);
    };
    const abort = () => fail(llmError("The request was cancelled"));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    const stdout = gathered(child.stdout, MAX_REPLY_BYTES, () => fail(tooLarge()));
    const stderr = gathered(child.stderr, MAX_STDERR);
    child.on("error", (error) => fail(llmError(`Cannot run \`${command}\`: ${messageOf(error)}`)));
    child.on("close", (code) => {
      signal.removeEventListener("abort", abort);
      resolve({ code, stdout: stdout(), stderr: stderr() });
    });
    child.stdin.on("error", () => {}); // it may exit without reading
    child.stdin.end(input);
  });
}

/** What comes of a stream as text, up to a limit. */
function gathered(stream: Readable, most: number, beyond = () => {}): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= most) chunks.push(chunk);
    else beyond();
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // it has just ended
  }
}

/** The fields that memo reads from the output of `--output-format json`. */
interface ClaudeOutput {
  readonly is_error?: boolean;
  readonly result?: unknown;
  readonly structured_output?: unknown;
  readonly total_cost_usd?: number;
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly modelUsage?: Readonly<Record<string, unknown>>;
}

/** What Claude Code answers in place of the model, when its login is refused or missing. */
const NO_LOGIN = /Please run \/login\b|^API Error: 40[13]\b/;
const LOGIN_HINT = "Run `claude auth login`";

function readResult(
  { code, stdout, stderr }: Finished,
  { schema }: Completion,
  model: string,
): Completed {
  const result = parseJson(stdout) as ClaudeOutput | undefined;
  if (result === undefined) {
    const said = brief(stderr || stdout) || "nothing";
    throw llmError(`\`claude\` exited with ${code ?? "a signal"}: ${said}`);
  }
  const text = typeof result.result === "string" ? result.result : "";
  const { usage = {}, total_cost_usd: costUsd } = result;
  const tokens = (name: string) => Number(usage[name]) || 0;
  const completed = {
    text,
    json: schema === undefined ? undefined : result.structured_output ?? parseJson(text),
    model: Object.keys(result.modelUsage ?? {})[0] ?? model,
    inputTokens: tokens("input_tokens") + tokens("cache_creation_input_tokens") +
      tokens("cache_read_input_tokens"),
    outputTokens: tokens("output_tokens"),
    costUsd: typeof costUsd === "number" ? costUsd : undefined,
  };
  if (code === 0 && !result.is_error) return completed;
  const message = `\`claude\` did not answer: ${brief(text)}`;
  if (NO_LOGIN.test(text)) throw new LoginRefused("llm", message, { hint: LOGIN_HINT });
  // Output tokens mean an unusable answer that was paid for; without them the call failed.
  throw completed.outputTokens > 0 ? new UnusableAnswer(message, completed) : llmError(message);
}
