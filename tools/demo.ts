// Builds a throw-away home with a dozen memories, sends a real prompt through the real hook and daemon, and shows
// what Claude would get. Run it with `deno task demo`; it leaves nothing behind.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectOf } from "../src/memory/project.ts";

const MEMO = fileURLToPath(
  new URL(`../dist/memo${process.platform === "win32" ? ".exe" : ""}`, import.meta.url),
);
/** Prompts that are timed, after one that is not. */
const RUNS = 20;

interface Note {
  readonly scope: "user" | "project";
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

const NOTES: readonly Note[] = [
  {
    scope: "project",
    type: "architecture",
    name: "JWT setup",
    description: "How the API issues and checks tokens",
    body:
      "Access tokens are RS256-signed and live 15 minutes; the refresh token sits in an httpOnly cookie.\n" +
      "Keys rotate weekly, `jwks.json` is cached for an hour.",
  },
  {
    scope: "project",
    type: "gotcha",
    name: "Migrations lock the orders table",
    description: "Adding an index to orders blocks checkout",
    body:
      "Use `CREATE INDEX CONCURRENTLY`, outside a transaction. A plain one held a lock for nine minutes in March.",
  },
  {
    scope: "project",
    type: "decision",
    name: "Money is integer cents",
    description: "No floats for amounts",
    body:
      "Amounts are integer cents with a currency code. **Why:** rounding broke two invoices. Decided 2026-04-02.",
  },
  {
    scope: "project",
    type: "reference",
    name: "Where the dashboards are",
    description: "Latency and error budget boards",
    body: "Grafana folder `checkout`; alerts go to #checkout-oncall.",
  },
  {
    scope: "project",
    type: "pattern",
    name: "Handlers return problem+json",
    description: "Shape of error responses",
    body:
      "Every handler returns RFC 9457 problem details through `respondProblem()`; never a bare string.",
  },
  {
    scope: "project",
    type: "tool",
    name: "Base de datos local",
    description: "Cómo levantar Postgres para desarrollo",
    body:
      "`docker compose up db` y después `pnpm db:seed`. El puerto es 5433, no 5432, porque choca con el del sistema.",
  },
  {
    scope: "project",
    type: "project",
    name: "Freeze before the audit",
    description: "No schema changes until the audit is over",
    body:
      "The auditors read the production schema until 2026-12-04. Ship migrations after that date.",
  },
  {
    scope: "user",
    type: "feedback",
    name: "Don't summarize at the end",
    description: "Skip closing summaries",
    body:
      "**Why:** the user reads the diff.\n**How to apply:** end with the last change, no recap.",
  },
  {
    scope: "user",
    type: "feedback",
    name: "Tests before the fix",
    description: "Write the failing test first",
    body:
      "**Why:** a fix without a red test was wrong twice.\n**How to apply:** show it red, then green.",
  },
  {
    scope: "user",
    type: "user",
    name: "Prefiere respuestas cortas",
    description: "Idioma y estilo",
    body:
      "Escribe en español o en inglés, sin preferencia; quiere respuestas cortas y sin adornos.",
  },
  {
    scope: "user",
    type: "tool",
    name: "Use pnpm, never npm",
    description: "Package manager in all repositories",
    body: "npm rewrites the lockfile. `corepack enable` gives the pinned version.",
  },
  {
    scope: "user",
    type: "user",
    name: "Works from Montevideo",
    description: "Time zone UTC-3",
    body: "Dates and meeting times are UTC-3.",
  },
];

const PROMPTS = [
  "how do I authenticate against the API?",
  "¿en qué puerto corre la base de datos local?",
];

// Deno passes its own environment on beside `env`: the demo must not see the user's memories.
for (const name of Object.keys(process.env)) {
  if (/^(?:CLAUDE|MEMO_)/.test(name)) delete process.env[name];
}

const root = mkdtempSync(join(tmpdir(), "memo-demo-"));
const claude = join(root, "home", ".claude");
const project = join(root, "shop");
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: join(root, "home"),
  USERPROFILE: join(root, "home"),
  MEMO_HOME: join(root, "state"),
  NO_COLOR: "1",
  // On a busy machine an answer may come too late for a session; the demo waits for it.
  MEMO_RECALL_DEADLINE_MS: "1000",
};

mkdirSync(join(project, ".git"), { recursive: true });
try {
  demo();
} finally {
  memo(["daemon", "stop"]);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

function demo(): void {
  for (const note of NOTES) write(note);
  heading(`A throw-away home with ${NOTES.length} memories`);
  print(memo(["index"]));
  memo(["daemon", "start"]);
  awaitModel();
  hook(PROMPTS[0]!, "warm-up"); // the daemon's first prompt also loads the vectors
  for (const [i, prompt] of PROMPTS.entries()) {
    heading(`What Claude gets for the prompt “${prompt}”`);
    print(hook(prompt, `demo-${i}`)?.hookSpecificOutput?.additionalContext ?? "(nothing)");
  }
  heading("How long a prompt waits for it");
  print(timings());
  heading("To have it in your own Claude Code");
  print(
    `${MEMO} init        sets memo up step by step (--dry-run shows the steps and changes nothing)
${MEMO} add "…"     remembers something
${MEMO} uninstall   takes the hooks out again`,
  );
}

/** A prompt that comes while the model is loading is answered by keyword; the demo shows what comes after. */
function awaitModel(): void {
  const log = join(root, "state", "logs", "daemon.log");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 600; tries++) {
    if (existsSync(log) && readFileSync(log, "utf8").includes('"event":"model"')) return;
    Atomics.wait(pause, 0, 0, 50);
  }
}

function write({ scope, type, name, description, body }: Note): void {
  const folder = scope === "user" ? join(claude, "memory") : projectOf(project, claude).folder;
  mkdirSync(folder, { recursive: true });
  const file = `${type}_${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.md`;
  const matter = `---\nname: ${
    JSON.stringify(name)
  }\ndescription: ${description}\ntype: ${type}\n---\n`;
  writeFileSync(join(folder, file), `${matter}${body}\n`);
}

/** Sends a prompt as Claude Code does and returns the hook's answer. */
function hook(
  prompt: string,
  session: string,
): { hookSpecificOutput?: { additionalContext: string } } {
  const event = {
    session_id: session,
    transcript_path: join(root, "transcript.jsonl"),
    cwd: project,
    permission_mode: "default",
    hook_event_name: "UserPromptSubmit",
    prompt,
  };
  return JSON.parse(memo(["hook"], JSON.stringify(event)));
}

function timings(): string {
  const node = process.platform === "win32" ? "node.exe" : "node";
  const timed = (run: (i: number) => void) => {
    const times = Array.from({ length: RUNS }, (_, i) => {
      const start = performance.now();
      run(i);
      return performance.now() - start;
    });
    return times.sort((a, b) => a - b)[RUNS / 2]!;
  };
  const hooks = timed((i) => hook(PROMPTS[0]!, `timed-${i}`));
  const nodes = timed(() => spawnSync(node, ["-e", "0"], { env }));
  return `memo hook takes ${hooks.toFixed(0)} ms from start to exit (median of ${RUNS}); ` +
    `that is ${(hooks / nodes).toFixed(2)} × an empty node -e 0 here (${nodes.toFixed(0)} ms)`;
}

function memo(args: readonly string[], stdin = ""): string {
  const { status, stdout, stderr, error } = spawnSync(MEMO, args, {
    cwd: project,
    env,
    input: stdin,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`memo ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

function heading(text: string): void {
  print(`\n── ${text}\n`);
}

function print(text: string): void {
  console.log(text.trimEnd());
}
