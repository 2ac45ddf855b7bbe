// Records the session at the top of README.md: runs the executable in a throw-away home, and draws what it printed.
//
//   deno task record [FILE]

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Home, makeHome, PATIENCE, runMemo } from "../test/support/home.ts";
import { type TerminalLine, terminalSvg } from "./docs/terminal_svg.ts";

const SVG = fileURLToPath(new URL("../docs/session.svg", import.meta.url));

await using root = makeHome(PATIENCE, { hasModel: true });
const home: Home = { ...root, project: join(root.root, "shop") };
const cart = join(home.project, "cart.ts");
mkdirSync(join(home.project, ".git"), { recursive: true });
writeFileSync(cart, "export const total = 0;\n");

const lines: TerminalLine[] = [];
await type(
  ["add", "Never push to main; open a pull request", "--type", "feedback", "--scope", "user"],
  'memo add "Never push to main; open a pull request" --type feedback --scope user',
);
await type(
  ["add", "The local database listens on 5433, not 5432", "--type", "gotcha"],
  'memo add "The local database listens on 5433, not 5432" --type gotcha',
);
await type(
  ["add", "Prices in cart.ts are cents; divide only where they are shown", "--type", "gotcha"],
  'memo add "Prices in cart.ts are cents; divide only where they are shown" --type gotcha',
);
await memo(["index"]);
note("");
note("# Next week, in a new session: what Claude has before it from the start …");
await show({ hook_event_name: "SessionStart", source: "startup" });
await memo(["search", "database"]); // until the daemon has loaded its model
const prompt = "¿por qué no conecta con la base de datos en local?";
note(`# … and what comes with the prompt “${prompt}”`);
await show({ hook_event_name: "UserPromptSubmit", prompt });
note("# … and, twenty steps later, when Claude opens cart.ts, before it changes anything");
const read = { tool_name: "Read", tool_input: { file_path: cart } };
await show({ hook_event_name: "PreToolUse", ...read });
writeFileSync(process.argv[2] ?? SVG, terminalSvg("memo in ~/shop", lines));

async function type(args: readonly string[], shown: string): Promise<void> {
  lines.push({ kind: "typed", text: shown });
  lines.push({ kind: "output", text: (await memo(args)).said });
}

function note(text: string): void {
  lines.push({ kind: "note", text });
}

/** Shows what a hook event puts before the model. */
async function show(event: Readonly<Record<string, unknown>>): Promise<void> {
  const transcript_path = join(home.root, "none.jsonl");
  const input = { session_id: "s1", transcript_path, cwd: home.project, ...event };
  const { printed } = await memo(["hook"], JSON.stringify(input));
  const text = shorten(JSON.parse(printed).hookSpecificOutput.additionalContext);
  lines.push({ kind: "output", text });
}

/** What memo prints for a program, and what it says to a person. */
async function memo(args: readonly string[], stdin = "") {
  const { code, stdout, stderr } = await runMemo(home, args, { stdin });
  if (code !== 0) throw new Error(`memo ${args.join(" ")} ended with ${code}: ${stderr}`);
  return { printed: shorten(stdout.trimEnd()), said: shorten(stderr.trimEnd()) };
}

/** Paths as they would stand in a real home. */
function shorten(text: string): string {
  return text.replaceAll(home.root, "~").replace(/\n{2,}(?=<\/)/g, "\n");
}
