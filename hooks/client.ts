// The hot path: Claude Code runs this before every prompt. Contract: in every case, exit 0 within the deadline
// with one JSON object on stdout, or nothing if Claude Code would hand it on or show it. It loads nothing it does not
// need (test/architecture_test.ts).
import { MemoError } from "../src/errors.ts";
import { fileText, print, readStdin } from "../src/core/link/io.ts";
import { type Env, type Paths, pathsFor } from "../src/paths.ts";
import { hasMoment } from "../src/core/link/moments.ts";
import {
  type DaemonReply,
  isSameBuild,
  isSameProtocol,
  MAX_PROMPT,
} from "../src/core/link/protocol.ts";
import { parseBounded } from "../src/core/link/parse.ts";
import { GUARDS, isPlain, sessionVariables } from "../src/core/link/session_env.ts";
import { exchange, isBusy } from "../src/core/link/socket.ts";
import { within } from "../src/core/link/within.ts";
import type { AgentWire, Foreign } from "./agents/agent.ts";
import { hookEvent, type HookEventRow, momentsOf } from "./events.ts";
import type { HookInput, HookInputs, HookOutput, Unchecked } from "./wire.ts";

const SILENT: HookOutput = {};

const CLAUDE: AgentWire = {
  toInputs: (event) => [event as unknown as HookInput],
  toOutput: ([output]) => ({ ...output }),
};
/** An agent that this memo does not know. */
const NOBODY: AgentWire = { toInputs: () => [], toOutput: () => SILENT as Foreign };

/** Maximum time for the daemon to queue a transcript for capture, in milliseconds; after that the hook does it. */
const QUEUE_MS = 300;
/** A daemon that has not even read the request after this share of the hook's time hangs (120 ms of a prompt's 1.2 s). */
const ALIVE_SHARE = 0.1;
/** The same of a daemon that was not blocked a moment ago, and is worth some waiting. */
const BUSY_ALIVE_SHARE = 0.4;
/** Time that the hook reserves to answer by itself, in milliseconds. */
const OWN_ANSWER_MS = 300;
/** Maximum silence of Claude Code while it writes the event and closes the pipe. */
const STDIN_MS = 2500;
/** The names of memo's own tools, and few others: to load what answers for them takes a third of a millisecond. */
const MAY_BE_OURS = /memory_/;
/** The settings may name folders where memo is off. */
const NAMES_OFF = /\boff["']?[ \t]*:/;

/** What a hook is run with. */
export interface HookHost {
  readonly env: Env;
  /** Whether settings that apply in a folder have hooks of memo's; rarely needed. */
  settingsHaveHooks(paths: Paths, cwd: string): Promise<boolean>;
}

/** Answers the hook event on stdin, of Claude Code or with `--agent NAME` of another agent, and ends the process. */
export async function runHook(
  host: HookHost,
  [flag, name = ""]: readonly string[] = process.argv.slice(3),
): Promise<never> {
  return await answerText(await stdinText(), host, flag === "--agent" ? name : undefined);
}

/**
 * The same if a hook's JSON is on stdin, and nothing otherwise: memo's arguments may be wrong or lost (Copilot, and a
 * Claude Code before 2.1.139, drop a hook's arguments), and exit code 2 would block the prompt.
 */
export async function runHookIfAsked(host: HookHost): Promise<void> {
  const { isatty } = await import("node:tty");
  if (isatty(0)) return;
  const text = await stdinText();
  if (text.includes('"hook_event_name"')) await answerText(text, host);
}

/** What is on stdin; without the middle of a paste of megabytes. */
async function stdinText(): Promise<string> {
  return String(await readStdin(STDIN_MS).catch(() => ""));
}

async function answerText(text: string, host: HookHost, agent?: string): Promise<never> {
  let row: HookEventRow | undefined;
  let output: object = SILENT;
  try {
    const wire = await wireFor(agent, host.env);
    const event = parse(text) ?? {};
    const outputs: HookOutput[] = [];
    for (const input of wire.toInputs(event, host.env)) {
      row = hookEvent(input.hook_event_name);
      if (row !== undefined) outputs.push(await answer(await withoutPaste(input), row, host));
    }
    if (outputs.length > 0) output = wire.toOutput(outputs, event);
  } catch {
    // A hook never disturbs the session: it gets no memory this time. The daemon and the receipts say why.
  }
  const isEmpty = Object.keys(output).length === 0;
  if (row !== undefined && !(row.isMute && isEmpty)) print(JSON.stringify(output));
  process.exit(0);
}

async function wireFor(agent: string | undefined, env: Env): Promise<AgentWire> {
  // Copilot runs the hooks of a trusted folder; `CLAUDE_PROJECT_DIR`, which others set too, proves nothing.
  const name = agent ?? (env["COPILOT_CLI"] === "1" ? "copilot" : undefined);
  if (name === undefined) return CLAUDE;
  const { wireOf } = await import("./agents/mod.ts");
  return wireOf(name) ?? NOBODY;
}

/** An event whose prompt is cut, so that nothing after this looks at a pasted file of megabytes. */
async function withoutPaste(input: HookInput): Promise<HookInput> {
  const { prompt } = input as { readonly prompt?: unknown };
  if (typeof prompt !== "string" || prompt.length <= MAX_PROMPT) return input;
  const { cutPaste } = await import("../src/core/text/paste.ts"); // rarely needed
  return { ...input, prompt: cutPaste(prompt) } as HookInput;
}

async function answer(input: HookInput, row: HookEventRow, host: HookHost): Promise<HookOutput> {
  const { env } = host;
  if (GUARDS.some((name) => env[name] === "1")) return SILENT;
  const { tool_name: tool } = input as Unchecked<HookInputs["PreToolUse"]>;
  const paths = pathsFor(env);
  const projectDir = env["CLAUDE_PROJECT_DIR"] || textOf(input.cwd) || process.cwd();
  let off: string | undefined;
  if (NAMES_OFF.test(await fileText(paths.config) ?? "")) {
    const { whyOff } = await import("./off.ts"); // rarely needed
    off = await whyOff(paths, { cwd: textOf(input.cwd) ?? projectDir, projectDir });
  }
  if (row.isOwnAnswer && MAY_BE_OURS.test(String(tool))) {
    const { permissionFor } = await import("./permission.ts");
    const own = permissionFor(input as HookInputs["PreToolUse"], off);
    if (own !== undefined) return own;
  }
  if (off !== undefined) return SILENT;
  const moments = momentsOf(row, tool);
  if (moments.length > 0 && !await hasMoment({ ...paths, projectDir }, moments)) return SILENT;
  const limitMs = Number(env["MEMO_HOOK_DEADLINE_MS"]) || row.deadlineMs;
  const deadline = performance.now() + limitMs;
  return await within(limitMs, ask(input, row, { ...host, paths, projectDir, deadline })) ?? SILENT;
}

async function ask(
  input: HookInput,
  row: HookEventRow,
  { paths, env, settingsHaveHooks, projectDir, deadline }: HookHost & {
    readonly paths: Paths;
    /** The folder that Claude Code runs in. */
    readonly projectDir: string;
    readonly deadline: number;
  },
): Promise<HookOutput> {
  const timeLeft = () => Math.max(1, deadline - performance.now());
  const { patience = 0, aliveShare = ALIVE_SHARE } = row;
  const until = performance.now() + timeLeft() * patience;
  const isQueued = row.queued !== undefined;
  const variables = sessionVariables(env); // the daemon keeps them for this session, in memory alone
  let isHung = false;
  /** Whether a daemon that is started now would serve: there was none, or it hangs, or is older; none that is busy. */
  let mayStart = true;
  const params = {
    input,
    claude: paths.claude,
    projectDir,
    pid: Number(env["CLAUDE_PID"]) || undefined,
    ageMs: Math.round(performance.now()), // since this process began
    variables,
    isPlugin: isPlugin(env) || undefined,
  };
  try {
    const reserve = row.answersOffline ? OWN_ANSWER_MS : 0;
    const timeoutMs = Math.max(1, Math.min(isQueued ? QUEUE_MS : Infinity, timeLeft() - reserve));
    const aliveMs = timeLeft() * aliveShare;
    const busyMs = timeLeft() * BUSY_ALIVE_SHARE;
    const { socket } = paths;
    const reply = await exchange("hook", params, { socket, timeoutMs, aliveMs, busyMs });
    if (!isSameBuild(reply)) mayStart = await replaceIfOlder(reply, paths, env);
    if (isAnswer(reply)) return outputOf(reply);
  } catch (error) {
    const isLate = error instanceof MemoError && error.kind === "timeout";
    mayStart = !isLate || !await isBusy(paths.socket);
    isHung = isLate && mayStart;
  }
  if (isQueued) {
    const { enqueueOffline } = await import("../src/core/events/capture.ts");
    await enqueueOffline(input, { paths, projectDir, isPlain: isPlain(variables) }, env);
  }
  if (mayStart) {
    const { restUntil, spawnDaemon } = await import("../src/core/link/spawn.ts"); // rarely needed
    spawnDaemon(paths, env);
    const answerBy = deadline - (row.answersOffline ? OWN_ANSWER_MS : 0);
    const output = restUntil(paths)
      ? undefined
      : await askAgain(params, paths, { until, answerBy, isHung });
    if (output !== undefined) return output;
  }
  if (!row.answersOffline) return SILENT;
  if (isPlugin(env) && await settingsHaveHooks(paths, projectDir)) return SILENT; // its hook answers
  const { answerOffline } = await import("../src/core/events/offline.ts");
  const outcome = mayStart ? "no daemon" : "busy";
  return await answerOffline(input, { paths, projectDir, outcome }, env);
}

/** Starts a daemon in place of one of an older build, for the next hooks; returns whether it did. */
async function replaceIfOlder({ build }: DaemonReply, paths: Paths, env: Env): Promise<boolean> {
  const { mayReplace } = await import("../src/core/link/builds.ts"); // rarely needed
  if (!mayReplace(build, paths)) return false;
  const { spawnDaemon } = await import("../src/core/link/spawn.ts");
  spawnDaemon(paths, env);
  return true;
}

/** Whether the daemon has done what was asked, or is of this build, which would do no better. */
function isAnswer(reply: DaemonReply): boolean {
  return isSameProtocol(reply) && reply.ok || isSameBuild(reply);
}

function outputOf(reply: DaemonReply): HookOutput {
  return reply.ok ? reply.result as HookOutput : SILENT;
}

/** Whether memo's plugin has started this hook; the settings may have hooks of memo's too. */
function isPlugin(env: Env): boolean {
  return Boolean(env["CLAUDE_PLUGIN_ROOT"]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Waits for the daemon: only it answers by meaning, and it is warm for the next prompt. One whose socket takes the request
 * has until `answerBy`; undefined if there is none by then.
 */
async function askAgain(
  params: unknown,
  paths: Paths,
  { until, answerBy, isHung }: { until: number; answerBy: number; isHung: boolean },
): Promise<HookOutput | undefined> {
  const { statSync } = await import("node:fs");
  const inode = () => statSync(paths.socket, { throwIfNoEntry: false })?.ino;
  // A daemon that hangs has the request already, and would get another one at each attempt.
  const hung = isHung ? inode() : undefined;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (hung !== undefined && inode() === hung) continue;
    try {
      const timeoutMs = Math.max(1, answerBy - performance.now());
      const reply = await exchange("hook", params, { socket: paths.socket, timeoutMs });
      if (isAnswer(reply)) return outputOf(reply);
    } catch (error) {
      if (error instanceof MemoError && error.kind === "timeout") return undefined;
    }
  }
  return undefined;
}

function parse(text: string): Foreign | undefined {
  return parseBounded(text.replace(/^\ufeff/, "")) as Foreign | undefined;
}
