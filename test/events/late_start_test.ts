// A session whose start block Claude Code has thrown away, or never asked for: it comes with a prompt, once.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import { readFixture } from "../support/fixtures.ts";
import { sendHook } from "../support/send_hook.ts";
import { answerOffline } from "../../src/core/events/offline.ts";
import { readReceipts } from "../../src/core/recall/receipts.ts";
import { pathsFor } from "../../src/paths.ts";
import { until } from "../support/until.ts";

const ASKED = "which port does the kiln service listen on";
const OTHER = "please write a haiku about the autumn wind";
const START = /memo keeps memories from earlier sessions[^]*- Sign all commits/;

const note = (name: string, type: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: ${type}\n---\n${body}\n`;

async function begun(): Promise<Home> {
  const bare = makeHome(PATIENCE);
  const home = { ...bare, env: { ...bare.env, CLAUDE_PID: String(process.pid) } };
  home.write("tool_kiln.md", note("Kiln", "tool", "The kiln service listens on port 7070."));
  home.write("feedback_sign.md", note("Sign all commits", "feedback", "Sign all commits."));
  await succeed(home, ["index"]);
  await warmUp(home);
  return home;
}

interface Line {
  readonly said: string;
  /** What hooks gave with it. */
  readonly blocks?: readonly string[];
}

/** A transcript as Claude Code writes it: the start's block, and answered prompts with theirs. */
function write(
  path: string,
  lines: readonly Line[],
  { version = "2.1.332", start }: { version?: string; start?: string | undefined } = {},
): void {
  let parentUuid: string | null = null, count = 0;
  const timestamp = new Date().toISOString();
  const line = (fields: object) => {
    const uuid = `u${count++}`;
    const text = JSON.stringify({ ...{ parentUuid, uuid, timestamp, version }, ...fields });
    parentUuid = uuid;
    return text + "\n";
  };
  const given = (hookEvent: string, content: readonly string[]) =>
    line({
      type: "attachment",
      attachment: { type: "hook_additional_context", content, hookEvent },
    });
  const head = start === undefined ? "" : given("SessionStart", [start]);
  const text = lines.map(({ said, blocks = [] }, at) =>
    line({ type: "user", promptId: `p${at}`, message: { role: "user", content: said } }) +
    (blocks.length === 0 ? "" : given("UserPromptSubmit", blocks)) +
    line({ type: "assistant", message: { content: [{ type: "text", text: "An answer." }] } })
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, head + text.join(""));
}

/** A session's hooks, and the path of its transcript. */
function talk(home: Home, session_id: string) {
  const transcript_path = join(home.claude, "projects", "p", `${session_id}.jsonl`);
  const at = { session_id, transcript_path };
  let count = 0;
  return {
    transcript_path,
    start: async () => (await sendHook(home, "SessionStart.startup", at)).block,
    ask: async (prompt: string) =>
      (await sendHook(home, "UserPromptSubmit", { ...at, prompt, prompt_id: `p${count++}` })).block,
  };
}

Deno.test("where no start hook was answered, the first prompt has the titles before its memory, and no later one", async () => {
  await using home = await begun();
  const { transcript_path, ask } = talk(home, "s1");
  const first = await ask(ASKED);
  assert.match(first, START);
  assert.match(first, /<\/auto-loaded-memory>\n<auto-loaded-memory>[^]*7070/);
  assert.equal(await ask(OTHER), "", "the block is on its way");
  write(transcript_path, [{ said: ASKED, blocks: [first] }, { said: OTHER }]);
  assert.equal(await ask("and who wrote the haiku"), "");
  const starts = () =>
    readReceipts(join(home.memoHome, "receipts.jsonl"), 50)
      .filter(({ event }) => event === "SessionStart");
  await until("its receipt", () => starts().length === 1);
  assert.deepEqual(starts().map(({ outcome, why }) => [outcome, why]), [
    ["hit", "added to a prompt"],
  ]);
  // What is resumed has it, and gets only what is new.
  const { stdout } = await sendHook(home, "SessionStart.resume", {
    session_id: "s1",
    transcript_path,
  });
  assert.doesNotMatch(stdout, /additionalContext/);
});

Deno.test("a start block that the transcript does not have comes with the next prompt, once, the same bytes", async () => {
  await using home = await begun();
  const { transcript_path, start, ask } = talk(home, "s2");
  const block = await start();
  assert.match(block, START);
  const first = await ask(ASKED);
  assert.match(first, /^(?:(?!keeps notes)[^])*7070/);
  write(transcript_path, [{ said: ASKED, blocks: [first] }]);
  const second = await ask(OTHER);
  assert.equal(second, block);
  write(transcript_path, [{ said: ASKED, blocks: [first] }, { said: OTHER, blocks: [second] }]);
  assert.equal(await ask("and who wrote the haiku"), "");
});

Deno.test("no prompt repeats a start block that is there, that had nothing to say, or that nobody could see", async () => {
  await using home = await begun();
  const rows: readonly (readonly [string, boolean, Parameters<typeof write>[2]])[] = [
    ["there", true, {}],
    ["an old Claude Code does not write it down", true, { version: "2.0.77" }],
    ["an old Claude Code, no start hook", false, { version: "2.0.77" }],
  ];
  for (const [i, [name, isStarted, options]] of rows.entries()) {
    const { transcript_path, start, ask } = talk(home, `r${i}`);
    const block = isStarted ? await start() : undefined;
    const first = await ask(ASKED);
    write(transcript_path, [{ said: ASKED, blocks: [first] }], {
      ...options,
      start: name === "there" ? block : undefined,
    });
    assert.doesNotMatch(await ask(OTHER), START, name);
  }
  // Another agent, or a test of memo's, is no Claude Code.
  const plain = { ...home, env: { ...home.env, CLAUDE_PID: "" } };
  assert.doesNotMatch(await talk(plain, "s4").ask(ASKED), START);

  await using empty = makeHome({ ...PATIENCE, CLAUDE_PID: String(process.pid) });
  await warmUp(empty);
  const { start, ask, transcript_path } = talk(empty, "s5");
  assert.equal(await start(), "");
  empty.write("feedback_sign.md", note("Sign all commits", "feedback", "Sign all commits."));
  await succeed(empty, ["index"]);
  assert.doesNotMatch(await ask(OTHER), START);
  write(transcript_path, [{ said: OTHER }]);
  assert.doesNotMatch(await ask("and who wrote the haiku"), START);
});

Deno.test("an answer after the hook's timeout counts as not given", async () => {
  await using home = await begun();
  const { ask, transcript_path } = talk(home, "s6");
  const input = { session_id: "s6", transcript_path, cwd: home.project, source: "startup" };
  const { call } = await import("../../src/core/link/socket.ts");
  const params = {
    input: { ...input, hook_event_name: "SessionStart" },
    claude: home.claude,
    ageMs: 5001,
  };
  const { pathsFor } = await import("../../src/paths.ts");
  const late = await call("hook", params, { socket: pathsFor(home.env).socket, timeoutMs: 10_000 });
  assert.match(JSON.stringify(late), /keeps memories from earlier sessions/);
  assert.match(await ask(OTHER), START);
});

Deno.test("a hook that finds no daemon in a new home begins a session with what is there", async () => {
  await using home = makeHome();
  home.write("feedback_use-pnpm.md", "---\nname: Use pnpm\ntype: feedback\n---\nNever npm.\n");
  const input = { ...readFixture("SessionStart.startup"), cwd: home.project };
  const answer = await answerOffline(
    input,
    { paths: pathsFor(home.env), outcome: "busy" },
    home.env,
  );
  assert.match(JSON.stringify(answer), /- Use pnpm/);
});
