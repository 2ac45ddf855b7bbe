// Records the picture of README.md: memories are added, then the real Claude Code works on a prompt in a terminal. The
// model is a script behind a loopback Messages API; the hooks, the screen and what memo adds are real.
//
//   deno task record

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "../test/support/home.ts";
import { type ReplyBlock, serveMessagesApi, textOf } from "../test/support/messages_api.ts";
import { openTerminal } from "../test/support/terminal.ts";
import { COLUMNS, terminalSvg, type TerminalWindow } from "./docs/terminal_svg.ts";

/** The committed picture. */
export const SVG: string = fileURLToPath(new URL("../docs/session.svg", import.meta.url));

/** What is remembered before the session. */
const MEMORIES = [
  "Use pnpm, never npm",
  "The local database listens on 5433, not 5432. Tests need it: `pnpm db:up`",
  "Prices in cart.ts are cents",
];

/** What the person types in the session. */
export const PROMPT = "the tests cannot connect to the database";

const WRONG = "localhost:5432", RIGHT = "localhost:5433";
const ANSWER = "Fixed: the local database listens on 5433. If it is not up yet, run `pnpm db:up`.";

/** Uses a home whose project is `~/shop`, and whose programs print colors. */
export async function withShop<T>(use: (home: Home) => Promise<T>): Promise<T> {
  await using root = makeHome(PATIENCE, { hasModel: true, mayBeSent: false });
  const { NO_COLOR: _, ...env } = root.env;
  const home = {
    ...root,
    project: join(root.root, "shop"),
    env: { ...env, COLORTERM: "truecolor" },
  };
  mkdirSync(join(home.project, ".git"), { recursive: true });
  writeFileSync(
    join(home.project, "db.ts"),
    `import postgres from "postgres";\n\nexport const db = postgres("postgres://${WRONG}/shop");\n`,
  );
  return await use(home);
}

/** Adds the memories, and shows what was typed and what memo answered. */
export async function addMemories(home: Home): Promise<TerminalWindow> {
  const lines: string[] = [];
  for (const memory of MEMORIES) {
    const { code, stderr } = await runMemo(home, ["add", memory]);
    if (code !== 0) throw new Error(stderr);
    lines.push(bold(`$ memo add '${memory}'`), stderr);
  }
  await warmUp(home);
  return {
    title: "Before: a shell in ~/shop",
    text: lines.map((line) => line.trimEnd()).join("\n"),
  };
}

/** Shows the block that memo added to the prompt, with paths as they would stand in a real home. */
export function showBlock(home: Home, block: string): TerminalWindow {
  const text = block.replaceAll(home.root, "~").replaceAll(/shop-[0-9a-f]{10}/g, "shop-…")
    .replaceAll(/^## .*/gm, bold);
  return { title: "What memo added to the prompt, as the Messages API received it", text };
}

function bold(text: string): string {
  return styleText("bold", text, { validateStream: false });
}

if (import.meta.main) {
  const windows = await withShop(async (home) => {
    const added = await addMemories(home);
    await succeed(home, ["init", "--yes", "--capture", "off"]);
    return [added, ...await runSession(home)];
  });
  writeFileSync(SVG, terminalSvg("Claude Code with memo in ~/shop", windows));
}

/** Has Claude Code answer the prompt, and shows its screen and what memo added. */
async function runSession(home: Home): Promise<TerminalWindow[]> {
  const file_path = join(home.project, "db.ts");
  const replies: ReplyBlock[] = [
    { type: "tool_use", name: "Read", input: { file_path } },
    { type: "tool_use", name: "Edit", input: { file_path, old_string: WRONG, new_string: RIGHT } },
    { type: "text", text: ANSWER },
  ];
  await using api = await serveMessagesApi(({ messages }) => {
    const done = JSON.stringify(messages).split('"tool_result"').length - 1;
    return replies.slice(done, done + 1);
  });
  await using claude = await openTerminal(home, {
    api: api.url,
    model: "claude-sonnet-5-5",
    args: ["--permission-mode", "acceptEdits"],
    size: { width: COLUMNS, height: 40 },
  });
  await claude.send(PROMPT);
  await claude.shows(/✻.* for \d+s/); // the line below the answer; its words are random
  const screen = claude.styled().split(/\n.*✻/)[0]!;
  const [, block] = /UserPromptSubmit hook additional context: (<[^]*?^<\/.*>$)/m
    .exec(textOf(api.requests.at(-1)!, "system")) ?? [];
  if (block === undefined) throw new Error("memo added nothing to the prompt");
  return [
    { title: "Then: Claude Code in ~/shop (a script plays the model)", text: screen },
    showBlock(home, block),
  ];
}
