// The hot path: Claude Code runs this before every prompt. Contract: whatever happens, exit 0 within the deadline
// with one JSON object on stdout, or nothing where Claude Code would hand it on or show it. It loads nothing it does not
// need (test/architecture_test.ts).
import { codeOf, MemoError } from "../src/errors.ts";
import { print, readStdin } from "../src/link/io.ts";
import { type Env, type Paths, pathsFor } from "../src/paths.ts";
import { isSameBuild } from "../src/link/protocol.ts";
import { parseBounded } from "../src/link/parse.ts";
import { isPlain, sessionVariables } from "../src/link/session_env.ts";
import { exchange } from "../src/link/socket.ts";
import { within } from "../src/link/within.ts";
import { hookEvent, type HookEventRow } from "./events.ts";
import type { HookInput, HookOutput } from "./wire.ts";

const SILENT: HookOutput = {};

/** How long the daemon may take to queue a transcript for capture, in milliseconds; after that the hook does it. */
const QUEUE_MS = 300;
/** What it takes to start another daemon in the place of one that hangs, in milliseconds. */
const REPLACE_MS = 150;
/** How long Claude Code may take to write the event and close the pipe. */
const STDIN_MS = 1000;

/** Set in what memo itself starts, so that a session run by memo does not ask memo. */
const GUARDS = ["CLAUDE_HEADLESS", "MEMO_CHILD"];

/** Answers the hook event on stdin, and ends the process. */
export async function runHook(env: Env = process.env): Promise<never> {
  return await answerText(await readStdin(STDIN_MS).catch(() => ""), env);
}

/**
 * The same if a hook's JSON is on stdin, and nothing otherwise: what memo was started with may be wrong or lost (a Claude
 * Code before 2.1.139 drops a hook's arguments), and ending with 2 would block the prompt.
 */
export async function runHookIfAsked(env: Env = process.env): Promise<void> {
  const { isatty } = await import("node:tty");
  if (isatty(0)) return;
  const text = await readStdin(STDIN_MS).catch(() => "");
  if (text.includes('"hook_event_name"')) await answerText(text, env);
}

async function answerText(text: string, env: Env): Promise<never> {
  let row: HookEventRow | undefined;
  let output = SILENT;
  try {
    const input = parse(text);
    row = hookEvent(input?.hook_event_name);
    if (row !== undefined) output = await answer(input!, row, env);
  } catch {
    // A hook never hurts the session: no memory this time. The daemon and the receipts say why.
  }
  if (row !== undefined && !row.isMute) print(JSON.stringify(output));
  process.exit(0);
}

async function answer(input: HookInput, row: HookEventRow, env: Env): Promise<HookOutput> {
  if (GUARDS.some((name) => env[name] === "1")) return SILENT;
  const paths = pathsFor(env);
  const limitMs = Number(env["MEMO_HOOK_DEADLINE_MS"]) || row.deadlineMs;
  const deadline = performance.now() + limitMs;
  return await within(limitMs, ask(input, row, { paths, env, deadline })) ?? SILENT;
}

async function ask(
  input: HookInput,
  row: HookEventRow,
  { paths, env, deadline }: { paths: Paths; env: Env; deadline: number },
): Promise<HookOutput> {
  const timeLeft = () => Math.max(1, deadline - performance.now());
  const isQueued = row.queued !== undefined;
  const variables = sessionVariables(env); // the daemon keeps them for this session, in memory alone
  const params = {
    input,
    claude: paths.claude,
    projectDir: env["CLAUDE_PROJECT_DIR"] || undefined,
    pid: Number(env["CLAUDE_PID"]) || undefined,
    variables,
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
    const projectDir = params.projectDir ?? input.cwd;
    enqueueOffline(input, { paths, projectDir, isPlain: isPlain(variables) });
    return await startAnother(paths, env);
  }
  await startAnother(paths, env);
  if (row.isPatient) return await askAgain(params, paths, timeLeft);
  if (row.name !== "UserPromptSubmit") return SILENT;
  const { answerOffline } = await import("../src/events/offline.ts");
  return await answerOffline(input, { paths, projectDir: params.projectDir }, env);
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

/** What is on stdin, unchecked but for being JSON. */
function parse(text: string): HookInput | undefined {
  return parseBounded(text.replace(/^\ufeff/, "")) as HookInput | undefined;
}
