// The transcripts were written by the real client (2.1.329). Left out of them are the lines that quote requests, which
// are most of their bytes.

import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import {
  type ReadOptions,
  readSummaries,
  readTurns,
  type Step,
  type Turn,
} from "../../src/core/transcript/turns.ts";
import { runClaude } from "../support/claude.ts";
import { makeHome } from "../support/home.ts";
import { type ReplyBlock, serveMessagesApi } from "../support/messages_api.ts";
import { temporaryFolder } from "../support/temp.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/transcripts/${name}.jsonl`, import.meta.url));
const read = (path: string, options: ReadOptions = {}) => Array.fromAsync(readTurns(path, options));

/** The turns of a text as a transcript. */
async function readText(text: string | Uint8Array, options: ReadOptions = {}): Promise<Turn[]> {
  using folder = temporaryFolder();
  const path = join(folder.path, "session.jsonl");
  writeFileSync(path, text);
  return await read(path, options);
}

/** A step in few words. */
function brief(step: Step): string {
  if (step.kind === "text") return step.text;
  return `${step.name}(${step.input})${step.failed ? " failed" : ""}: ${step.result}`;
}

/** The lines of a captured transcript, to be changed by a test. */
function linesOf(name: string): Record<string, unknown>[] {
  return readFileSync(fixture(name), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
}
const toText = (lines: readonly unknown[]) =>
  lines.map((line) => JSON.stringify(line) + "\n").join("");

Deno.test("readTurns() reads a session with tools, a failure, a correction and a compaction", async () => {
  const turns = await read(fixture("bugfix"));
  assert.deepEqual(turns.map(({ prompt }) => prompt), [
    "The date test fails. Please find out why and fix it.",
    "No, local time is wrong here. Due dates must be UTC midnight, always. And never use moment.js in this project. Commit it.",
    "What should parseDue do with garbage input?",
    "Yes, do that. Remember: in this codebase invalid input always throws RangeError.",
    "Sum up what we decided.",
  ]);
  const [first] = turns;
  assert.partialDeepStrictEqual(first, {
    id: "437ca643-8845-4274-a37e-d68fcde86bbe",
    promptId: "d3543249-5e81-460a-924c-09e8a34a25ff",
    session: "8f8ff854-693d-42cf-b2e3-53b09f8a00c6",
    ...{ at: "2026-11-21T04:08:46.845Z", cwd: "/home/dev/out/todo-api" },
    wrote: ["/home/dev/out/todo-api/src/dates.mjs"],
  });
  const steps = first!.steps.map(brief);
  assert.equal(steps[0], "I'll run the tests to see what fails.");
  assert.match(steps[1]!, /^Bash\(node --test 2>&1 \| tail -20; exit 1\) failed: Exit code 1 /);
  assert.match(steps.at(-1)!, /^Fixed: `parseDue` passed a one-based month/);
  assert.equal(steps.length, 7);
  for (const step of turns.flatMap(({ steps }) => steps)) {
    assert.ok(step.kind === "text" || (step.result.length <= 600 && !step.result.includes("\n")));
  }
});

Deno.test("readTurns() leaves out thoughts, reminders, summaries, commands, and what hooks gave the model", async () => {
  const all = [...await read(fixture("bugfix")), ...await read(fixture("feature"))];
  assert.doesNotMatch(
    JSON.stringify(all),
    /Run the tests first\.|system-reminder|possibly relevant note|being continued|command-name|Compacted|task-notification/,
  );
});

Deno.test("readTurns() gives what the model said to a task's end as a turn without a prompt", async () => {
  const turns = await read(fixture("feature"));
  const found = turns.map(({ prompt, steps }) => [prompt.slice(0, 20), steps.length]);
  assert.deepEqual(found, [["Add a priority field", 5], ["", 2], ["By the way, I am Ale", 1]]);
  const [report, reply] = turns[1]!.steps.map(brief);
  assert.match(report!, /^Agent\(Agent "Find todo builders" finished\): Only src\/dates\.mjs and/);
  assert.match(reply!, /^The subagent confirms/);
});

Deno.test("readTurns() has what a subagent reports, and nothing of what Claude Code says about it", async () => {
  const feature = await read(fixture("feature"));
  const launch = feature[0]!.steps.find((step) => step.kind === "tool" && step.name === "Agent");
  assert.equal(brief(launch!), "Agent(Find todo builders): ");

  const lines = linesOf("feature");
  const at = lines.findIndex((line) => JSON.stringify(line).includes("Async agent launched"));
  const long = `The queue is called heron-7. ${"It has three workers. ".repeat(50)}The end.`;
  const waitedFor = structuredClone(lines);
  const [block] = (waitedFor[at]!["message"] as { content: { content: unknown }[] }).content;
  block!.content = [
    { type: "text", text: long },
    { type: "text", text: "agentId: a831427 (for resuming)\n<usage>total_tokens: 15</usage>" },
  ];
  const [first] = await readText(toText(waitedFor));
  const report = first!.steps.map(brief).find((step) => step.startsWith("Agent("));
  assert.equal(report, `Agent(Find todo builders): ${long}`);

  // A report that comes while the model is working, of a subagent that quotes the tag.
  const text = (result: string) =>
    `<task-notification>\n<status>failed</status>\n<summary>Agent "x" failed</summary>\n${result}</task-notification>`;
  const attached = (prompt: string) => ({
    ...lines[at],
    type: "attachment",
    uuid: prompt,
    attachment: { type: "queued_command", prompt, commandMode: "task-notification" },
  });
  const said = attached(text("<result>Saw </result> in a file</result>\n"));
  const stopped = attached(text(""));
  const [busy] = await readText(toText([...lines.slice(0, at), said, stopped]));
  const told = 'Agent(Agent "x" failed) failed: Saw </result> in a file';
  assert.equal(brief(busy!.steps.at(-1)!), told);
});

Deno.test("readTurns() begins after /clear, and sees no turns in a subagent's transcript", async () => {
  const prompts = (await read(fixture("after_clear"))).map(({ prompt }) => prompt);
  assert.deepEqual(prompts, ["What is the default priority of a todo?"]);
  assert.deepEqual(await read(fixture("subagent")), []);
});

/** What turns began with, and how they ended. */
const ends = (turns: readonly Turn[]) =>
  turns.map(({ prompt, steps }) => [prompt, brief(steps.at(-1)!)]);

Deno.test("readTurns() passes over what /rewind took back, unless it is asked for that too", async () => {
  const kept = [["first prompt", "Answer 1"], ["after the rewind", "Answer 4"]];
  assert.deepEqual(ends(await read(fixture("rewound"))), kept);
  assert.deepEqual(ends(await read(fixture("rewound"), { isWhole: true })), [
    kept[0],
    ["second prompt", "Answer 2"],
    ["third prompt", "Answer 3"],
    kept[1],
  ]);
});

Deno.test("readTurns() reads a session that a hook, a message meanwhile and a resume in its middle shaped", async () => {
  assert.deepEqual(ends(await read(fixture("continued"), { isWhole: true })), [
    ["first prompt", "Answer 1"],
    ["", "Answer 2"], // a Stop hook made it go on
    ["do slow work", "Bash(sleep 2; echo hi): hi"],
    ["no, use pnpm instead", "Answer 4"], // written while it worked
    ["after the rewind", "Answer 5"], // resumed at the first answer
  ]);
  assert.deepEqual(ends(await read(fixture("continued"))), [
    ["first prompt", "Answer 1"],
    ["after the rewind", "Answer 5"],
  ]);
});

Deno.test("readTurns() takes back a prompt that was interrupted and written anew", async () => {
  const lines = linesOf("after_clear");
  const at = lines.findIndex(({ turnOrigin }) => turnOrigin === "human");
  const message = { role: "user", content: "What is the default?" };
  const first = { ...lines[at], uuid: "mistyped", parentUuid: "before this file", message };
  const again = { ...lines[at], parentUuid: "before this file" };
  const text = toText([...lines.slice(0, at), first, again, ...lines.slice(at + 1)]);
  const turns = await readText(text);
  assert.deepEqual(turns.map(({ id }) => id), [lines[at]!["uuid"]]);
});

const SESSIONS = ["bugfix", "feature", "after_clear", "continued", "rewound"] as const;

Deno.test("a transcript cut anywhere reads without an error, and in two parts as in one", async () => {
  const sessions = SESSIONS.map((name) => readFileSync(fixture(name)));
  const options = { isWhole: true };
  const whole = await Promise.all(sessions.map((bytes) => readText(bytes, options)));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(sessions.length - 1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (i, share) => {
        const bytes = sessions[i]!;
        const part = await readText(bytes.subarray(0, Math.floor(share * bytes.length)), options);
        const first = part.filter(({ open }) => !open);
        const from = first.at(-1)?.end ?? 0;
        assert.deepEqual([...first, ...await readText(bytes, { ...options, from })], whole[i]);
        await readText(bytes.subarray(0, Math.floor(share * bytes.length)));
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("a turn is open until the transcript says that it is over", async () => {
  const lines = linesOf("after_clear");
  const over = lines.findIndex(({ subtype }) => subtype === "stop_hook_summary");
  const [open] = await readText(toText(lines.slice(0, over)));
  const [closed] = await readText(toText(lines.slice(0, over + 1)));
  assert.deepEqual(open, { ...closed, open: true });
});

Deno.test("the last message is added when the file lacks it, and its line is not read again", async () => {
  const lines = linesOf("after_clear");
  const answer = lines.findIndex(({ type }) => type === "assistant");
  const lastMessage = "The default priority is 2 (see src/todo.mjs).";
  using folder = temporaryFolder();
  const path = join(folder.path, "session.jsonl");

  writeFileSync(path, toText(lines.slice(0, answer)));
  const [turn] = await read(path, { lastMessage });
  assert.deepEqual(turn!.steps, [{ kind: "text", text: lastMessage }]);
  assert.equal(turn!.open, true);
  appendFileSync(path, toText(lines.slice(answer)));
  assert.deepEqual(await read(path, { from: turn!.end, lastMessage }), []);

  writeFileSync(path, toText(lines.slice(0, answer + 1))); // now it is there
  assert.deepEqual((await read(path, { lastMessage }))[0]!.steps, turn!.steps);

  const call = { type: "tool_use", id: "t", name: "Task", input: { description: "list src" } };
  const later = { ...lines[answer]!, uuid: "later", message: { content: [call] } };
  writeFileSync(path, toText([...lines.slice(0, answer + 1), later])); // and not the last step
  const [{ steps } = turn!] = await read(path, { lastMessage });
  assert.deepEqual(steps.map(({ kind }) => kind), ["text", "tool"]);
});

Deno.test("what Claude Code notes of its requests is no part of the conversation", async () => {
  const lines = linesOf("bugfix");
  const [prompt] = lines.filter(({ type }) => type === "user");
  const { uuid: _, ...copied } = prompt!;
  const messages = [{ role: "user", content: "SECOND" }, { role: "assistant", content: "SECOND" }];
  const notes = ["api-request", "api-request-shape", "api-request-blob", "prompt_snapshot"].flatMap(
    (type) => [
      { type, id: type, params: { messages }, system: "SECOND" },
      { parentUuid: prompt!["uuid"], uuid: `${type}-1`, params: { messages }, type },
      { ...copied, uuid: `${type}-2`, type, message: messages[0] },
      { ...copied, uuid: `${type}-3`, type: "attachment", attachment: { type, prompt: "SECOND" } },
    ],
  );
  const at = 1 + lines.indexOf(prompt!);
  const turns = await readText(toText([...lines.slice(0, at), ...notes, ...lines.slice(at)]));
  const places = ({ id, prompt, steps, wrote }: Turn) => ({ id, prompt, steps, wrote });
  assert.deepEqual(turns.map(places), (await read(fixture("bugfix"))).map(places));
});

Deno.test("a resume that begins with a compaction has the turns after it alone, and a summary", async () => {
  const lines = linesOf("bugfix");
  const boundary = lines.findIndex(({ subtype }) => subtype === "compact_boundary");
  using folder = temporaryFolder();
  const path = join(folder.path, "session.jsonl");
  writeFileSync(path, toText(lines.slice(0, boundary)));
  const from = (await read(path)).at(-1)!.end;
  appendFileSync(path, toText(lines.slice(boundary)));
  const turns = await read(path, { from });
  assert.deepEqual(turns.map(({ prompt }) => prompt), ["Sum up what we decided."]);
  const summaries = await Array.fromAsync(readSummaries(path, { from }));
  assert.deepEqual(summaries.map(({ isSummary }) => isSummary), [true]);
});

Deno.test("a fork's copy of a turn has the same id, and a turn copied within a file comes once", async () => {
  const lines = linesOf("bugfix");
  const copy = lines.map((line) => "sessionId" in line ? { ...line, sessionId: "fork" } : line);
  const ids = (turns: readonly Turn[]) => turns.map(({ id }) => id);
  const original = ids(await read(fixture("bugfix")));
  assert.deepEqual(ids(await readText(toText(copy))), original);
  assert.deepEqual(ids(await readText(toText([...lines, ...copy]))), original);
});

/** The first prompt and the answer of a captured session, with a text in place of the prompt's. */
async function readPrompt(content: unknown, fields: Record<string, unknown> = {}): Promise<Turn[]> {
  const [prompt] = linesOf("bugfix").filter(({ turnOrigin }) => turnOrigin === "sdk");
  return await readText(toText([{ ...prompt, ...fields, message: { role: "user", content } }]));
}

Deno.test("readTurns() takes a person's words alone from a prompt", async () => {
  const said = async (content: unknown, fields = {}) =>
    (await readPrompt(content, fields)).map(({ prompt }) => prompt);
  const source = { type: "base64", media_type: "image/png", data: "aaaa" };
  const image = { type: "image", source };
  const text = (text: string) => ({ type: "text", text });
  const memo = "<auto-loaded-memory>\nNotes.\n</auto-loaded-memory>";
  assert.deepEqual(await said([image, text("Look here")]), ["Look here"]);
  assert.deepEqual(await said(`Use pnpm. ${memo}`), ["Use pnpm."]);
  const escaped = memo.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  assert.deepEqual(await said(`Use pnpm. ${escaped}`), ["Use pnpm."]);
  assert.deepEqual(
    await said([text("<ide_opened_file>a.ts</ide_opened_file>"), text("Why <system-reminder>?")]),
    ["Why <system-reminder>?"],
  );
  for (const flag of ["isMeta", "isSidechain", "isCompactSummary"]) {
    assert.deepEqual(await said("Not a prompt", { [flag]: true }), []);
  }
  assert.deepEqual(await said("Made by a timer", { turnOrigin: "schedule_wakeup" }), []);
  for (const tag of ["bash-stdout", "task-notification", "command-name"]) {
    assert.deepEqual(await said(`<${tag}>/clear</${tag}>`), []);
  }
  assert.deepEqual(await said("[Request interrupted by user]"), []);
  const [long] = await said("a".repeat(200_000));
  assert.ok(long!.length < 51_000);
});

Deno.test("readTurns() keeps what a command was given once there is a reply to it", async () => {
  const lines = linesOf("after_clear");
  const at = lines.findIndex(({ turnOrigin }) => turnOrigin === "human");
  const content =
    "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>12, use tabs</command-args>";
  lines[at] = { ...lines[at], message: { role: "user", content } };
  const turns = await readText(toText(lines));
  const found = turns.map(({ prompt, steps }) => `${prompt}: ${steps.length}`);
  assert.deepEqual(found, ["/fix 12, use tabs: 1"]);
});

/** The first turn of a captured session with its first call and what came of it changed. */
async function readCall(
  call: { name: string; input: unknown },
  result: { content: unknown; is_error?: boolean },
): Promise<Turn> {
  const lines = linesOf("bugfix");
  const block = (type: string) =>
    lines.map((line) => (line["message"] as { content?: unknown } | undefined)?.content)
      .flatMap((content) => Array.isArray(content) ? content : [])
      .find((block) => block.type === type);
  Object.assign(block("tool_use"), call);
  Object.assign(block("tool_result"), { is_error: false }, result);
  return (await readText(toText(lines)))[0]!;
}

Deno.test("readTurns() keeps what the user said when a call was refused, or was asked", async () => {
  const long = "use pnpm, ".repeat(60).trim();
  const input = { file_path: "/home/dev/package-lock.json", content: "" };
  const content =
    `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${long}`;
  const refused = await readCall({ name: "Write", input }, { is_error: true, content });
  const told = `Write(${input.file_path}) failed: Refused; the user said: ${long}`;
  assert.equal(brief(refused.steps[1]!), told);
  assert.deepEqual(refused.wrote, ["/home/dev/out/todo-api/src/dates.mjs"]);
  const asked = await readCall({ name: "AskUserQuestion", input: {} }, { content: long });
  assert.equal(brief(asked.steps[1]!), `AskUserQuestion({}): ${long}`);
});

Deno.test("readTurns() does not learn what memo's own notes said", async () => {
  const calls = [
    { name: "mcp__memo__memory_search", input: { query: "pnpm" } },
    { name: "mcp__plugin_memo_memo__memory_search", input: { query: "pnpm" } },
    { name: "Bash", input: { command: "cd x && memo search pnpm" } },
    { name: "Read", input: { file_path: "/home/dev/.claude/memory/user_me.md" } },
  ];
  for (const call of calls) {
    const step = (await readCall(call, { content: "Use pnpm" })).steps[1]!;
    assert.equal(step.kind === "tool" && step.result, "", call.name);
  }
});

Deno.test("readTurns() notes the files that the model wrote, and not those that it failed to", async () => {
  const write = { name: "Write", input: { file_path: "/home/dev/new.ts", content: "" } };
  assert.ok((await readCall(write, { content: "ok" })).wrote.includes("/home/dev/new.ts"));
  const failed = await readCall(write, { content: "no", is_error: true });
  assert.ok(!failed.wrote.includes("/home/dev/new.ts"));
  const notebook = { name: "NotebookEdit", input: { notebook_path: "a.ipynb" } };
  const { wrote } = await readCall(notebook, { content: "ok" });
  assert.ok(wrote.includes("/home/dev/out/todo-api/a.ipynb"));
});

Deno.test("readTurns() survives lines that are no objects, have the wrong types, or are many megabytes long", async () => {
  const megabytes = "x".repeat(5 * 1024 * 1024);
  const strange = new URL("../fixtures/transcripts/strange.txt", import.meta.url);
  const text = readFileSync(strange, "utf8").replaceAll("MEGABYTES", megabytes) +
    readFileSync(fixture("bugfix"), "utf8");
  const places = ({ prompt, wrote }: Turn) => [prompt, wrote];
  const expected = (await read(fixture("bugfix"))).map(places);
  const found = (await readText(text)).map(places).filter(([prompt]) => prompt !== "");
  assert.deepEqual(found, expected);
});

Deno.test("readTurns() reads what the real client writes", async () => {
  await using home = makeHome();
  const file = join(home.project, "notes.txt");
  const write: ReplyBlock[] = [
    { type: "text", text: "I write it down." },
    { type: "tool_use", name: "Write", input: { file_path: file, content: "tabs\n" } },
  ];
  await using api = await serveMessagesApi((request) => {
    const last = JSON.stringify(request.messages.findLast(({ role }) => role === "user"));
    return last.includes("write it down") ? write : [{ type: "text", text: "It is done." }];
  });
  const prompts = ["Use tabs; write it down.", "Thanks."];
  await runClaude(home, prompts, { api: api.url, model: "claude-sonnet-5-5" });

  const projects = join(home.claude, "projects");
  const [transcript] = readdirSync(projects, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"));
  const turns = await read(join(projects, transcript!));
  assert.deepEqual(turns.map(({ prompt, cwd, wrote }) => ({ prompt, cwd, wrote })), [
    { prompt: prompts[0], cwd: home.project, wrote: [file] },
    { prompt: prompts[1], cwd: home.project, wrote: [] },
  ]);
  const steps = turns[0]!.steps.map(brief);
  assert.deepEqual([steps[0], steps.at(-1)], ["I write it down.", "It is done."]);
  assert.match(steps[1]!, /^Write\(.*notes\.txt\): File created/);
});
