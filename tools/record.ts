// Records the session at the top of README.md: runs the executable in a throw-away home, and draws what it printed.
//
//   deno task record [FILE]

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TerminalLine, terminalSvg } from "./docs/terminal_svg.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MEMO = join(ROOT, "dist", process.platform === "win32" ? "memo.exe" : "memo");

const root = realpathSync(mkdtempSync(join(tmpdir(), "memo-record-")));
const home = join(root, "home"), project = join(home, "shop");
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  CLAUDE_CONFIG_DIR: join(home, ".claude"),
  MEMO_HOME: join(root, "state"),
  MEMO_RECALL_DEADLINE_MS: "1000",
  MEMO_HOOK_DEADLINE_MS: "4500",
  NO_COLOR: "1",
};

const lines: TerminalLine[] = [];
try {
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, "cart.ts"), "export const total = 0;\n");
  type(
    ["add", "Never push to main; open a pull request", "--type", "feedback", "--scope", "user"],
    'memo add "Never push to main; open a pull request" --type feedback --scope user',
  );
  type(
    ["add", "The local database listens on 5433, not 5432", "--type", "gotcha"],
    'memo add "The local database listens on 5433, not 5432" --type gotcha',
  );
  type(
    ["add", "Prices in cart.ts are cents; divide only where they are shown", "--type", "gotcha"],
    'memo add "Prices in cart.ts are cents; divide only where they are shown" --type gotcha',
  );
  memo(["index"]);
  note("");
  note("# Next week, in a new session: what Claude has before it from the start …");
  lines.push({
    kind: "output",
    text: given({ hook_event_name: "SessionStart", source: "startup" }),
  });
  memo(["search", "database"]); // until the daemon has loaded its model
  const prompt = "¿por qué no conecta con la base de datos en local?";
  note(`# … and what comes with the prompt “${prompt}”`);
  lines.push({ kind: "output", text: given({ hook_event_name: "UserPromptSubmit", prompt }) });
  note("# … and, twenty steps later, when Claude opens cart.ts, before it changes anything");
  const read = { tool_name: "Read", tool_input: { file_path: join(project, "cart.ts") } };
  lines.push({ kind: "output", text: given({ hook_event_name: "PreToolUse", ...read }) });
} finally {
  memo(["daemon", "stop"]);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
writeFileSync(
  process.argv[2] ?? join(ROOT, "docs/session.svg"),
  terminalSvg("memo in ~/shop", lines),
);

function type(args: readonly string[], shown: string): void {
  lines.push({ kind: "typed", text: shown });
  lines.push({ kind: "output", text: memo(args).said });
}

function note(text: string): void {
  lines.push({ kind: "note", text });
}

/** What a hook event puts before the model. */
function given(event: Readonly<Record<string, unknown>>): string {
  const input = { session_id: "s1", transcript_path: join(root, "none.jsonl"), cwd: project };
  const { printed } = memo(["hook"], JSON.stringify({ ...input, ...event }));
  return shorten(JSON.parse(printed).hookSpecificOutput.additionalContext);
}

/** What memo prints for a program, and what it says to a person. */
function memo(args: readonly string[], stdin = "") {
  const { status, stdout, stderr } = spawnSync(MEMO, args, {
    cwd: project,
    env,
    input: stdin,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`memo ${args.join(" ")} ended with ${status}: ${stderr}`);
  return { printed: shorten(stdout.trimEnd()), said: shorten(stderr.trimEnd()) };
}

/** Paths as they would stand in a real home. */
function shorten(text: string): string {
  return text.replaceAll(home, "~").replace(/\n{2,}(?=<\/)/g, "\n");
}
