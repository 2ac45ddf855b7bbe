// The hot path: Claude Code runs this before every prompt. Contract: whatever happens, exit 0 within the deadline
// with exactly one JSON object on stdout, with nothing at the one event where Claude Code would hand it on. It loads
// nothing it does not need (test/architecture_test.ts).
import { codeOf, MemoError } from "../src/errors.ts";
import { print, readStdin } from "../src/link/io.ts";
import { type Env, type Paths, pathsFor } from "../src/paths.ts";
import { isSameBuild } from "../src/link/protocol.ts";
import { exchange } from "../src/link/socket.ts";
import { within } from "../src/link/within.ts";
import type { HookInput, HookOutput } from "./wire.ts";

const SILENT: HookOutput = {};

/** How long each event may hold Claude Code up, in milliseconds; all are well under what `memo install` asks for. */
const DEADLINES: Readonly<Record<string, number>> = {
  SessionStart: 3000,
  UserPromptSubmit: 1200,
  PostToolUse: 500,
  PostToolBatch: 300,
  SubagentStart: 800,
  Stop: 600,
  PreCompact: 600,
  PostCompact: 3000,
  SessionEnd: 600,
};
/** After these something waits to be captured; that the daemon did not take it in time must not lose it. */
const QUEUED = ["Stop", "PreCompact", "SessionEnd"];
/** As long may the daemon take to queue it, in milliseconds. */
const QUEUE_MS = 300;
/** What is on stdout at this event becomes part of the summariser's instructions, `{}` too. */
const MUTE = "PreCompact";
/** These have the time to wait for a daemon to come up. */
const PATIENT = ["SessionStart", "PostCompact"];
/** How a language model is reached. A daemon that was started elsewhere, or long ago, may not know it, or know it wrongly. */
const LOGIN = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "PATH",
];
/** What it takes to start another daemon in the place of one that hangs, in milliseconds. */
const REPLACE_MS = 150;
/** How long Claude Code may take to write the event and close the pipe. */
const STDIN_MS = 1000;

/** Set in what memo itself starts, so that a session run by memo does not ask memo. */
const GUARDS = ["CLAUDE_HEADLESS", "MEMO_CHILD"];

/** Answers the hook event on stdin, and ends the process. */
export async function runHook(env: Env = process.env): Promise<never> {
  let input: HookInput | undefined;
  let output = SILENT;
  try {
    input = parse(await readStdin(STDIN_MS));
    if (input !== undefined) output = await answer(input, env);
  } catch {
    // A hook never hurts the session: no memory this time. The daemon and the receipts say why.
  }
  if (input?.hook_event_name !== MUTE) print(JSON.stringify(output));
  process.exit(0);
}

async function answer(input: HookInput, env: Env): Promise<HookOutput> {
  const limit = DEADLINES[input.hook_event_name];
  if (limit === undefined || GUARDS.some((name) => env[name] === "1")) return SILENT;
  const paths = pathsFor(env);
  const deadline = performance.now() + (Number(env["MEMO_HOOK_DEADLINE_MS"]) || limit);
  const timeLeft = Math.max(0, deadline - performance.now());
  return await within(timeLeft, ask(input, paths, { env, deadline })) ?? SILENT;
}

async function ask(
  input: HookInput,
  paths: Paths,
  { env, deadline }: { env: Env; deadline: number },
): Promise<HookOutput> {
  const timeLeft = () => Math.max(1, deadline - performance.now());
  const event = input.hook_event_name;
  const isQueued = QUEUED.includes(event);
  const params = {
    input,
    claude: paths.claude,
    pid: Number(env["CLAUDE_PID"]) || undefined,
    login: event === "SessionStart"
      ? Object.fromEntries(LOGIN.map((name) => [name, env[name]]))
      : undefined,
  };
  try {
    const timeoutMs = Math.min(
      isQueued ? QUEUE_MS : Infinity,
      Math.max(1, timeLeft() - REPLACE_MS),
    );
    const reply = await exchange("hook", params, { socket: paths.socket, timeoutMs });
    if (isSameBuild(reply)) return reply.ok ? reply.result as HookOutput : SILENT;
  } catch (error) {
    // A daemon that hangs is replaced by the one that is started now.
    const isLate = error instanceof MemoError && error.kind === "timeout";
    if (isLate && !isQueued) return await startAnother(paths, env);
    if (!isQueued && !isAbsent(error)) return SILENT;
  }
  if (isQueued) {
    const { enqueueOffline } = await import("../src/events/capture.ts");
    enqueueOffline(input, paths);
    return await startAnother(paths, env);
  }
  await startAnother(paths, env);
  if (PATIENT.includes(event)) return await askAgain(params, paths, timeLeft);
  if (event !== "UserPromptSubmit") return SILENT;
  const { answerOffline } = await import("../src/events/offline.ts");
  return await answerOffline(input, paths, env);
}

async function startAnother(paths: Paths, env: Env): Promise<HookOutput> {
  const { spawnDaemon } = await import("../src/link/spawn.ts"); // rarely needed
  spawnDaemon(paths, env);
  return SILENT;
}

/** A session has time for its daemon to come up, so that the first prompt finds it warm. */
async function askAgain(
  params: unknown,
  paths: Paths,
  timeLeft: () => number,
): Promise<HookOutput> {
  while (timeLeft() > 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      const reply = await exchange("hook", params, { socket: paths.socket, timeoutMs: timeLeft() });
      if (isSameBuild(reply)) return reply.ok ? reply.result as HookOutput : SILENT;
    } catch (error) {
      if (!isAbsent(error)) return SILENT;
    }
  }
  return SILENT;
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ECONNREFUSED", "ENOTSOCK", "ECONNRESET", "EPIPE"].includes(
    codeOf(error) ?? "",
  ) ||
    error instanceof MemoError;
}

/** The event; undefined for what is no event at all. */
function parse(text: string): HookInput | undefined {
  const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  const named = typeof (value as HookInput | null)?.hook_event_name === "string";
  return named ? value as HookInput : undefined;
}
