// What a session and its subagents are given, through the real executable and a warm daemon.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Home,
  type HomeOptions,
  makeHome,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";

const NOTE = (name: string, type: string, body: string) =>
  `---\nname: ${name}\ndescription: About ${name.toLowerCase()}\ntype: ${type}\n---\n${body}\n`;

async function makeSession(options: HomeOptions = {}): Promise<Home> {
  const home = makeHome(PATIENCE, options);
  const project = (name: string, text: string) => home.keep(name, text);
  home.write("user_me.md", NOTE("Me", "user", "Writes Go and prefers short answers."));
  project(
    "progress_tokens.md",
    NOTE("Token rotation", "progress", "Step 2 of 4 is done: keys are in the vault."),
  );
  project(
    "reference_auth.md",
    NOTE("JWT setup", "reference", "The refresh token sits in an httpOnly cookie."),
  );
  project("journal/2026-11-19.md", "## Session 09:00\n- the first day\n");
  project("journal/2026-11-20.md", "## Session 10:00\n- moved the rotation job\n");
  await warmUp(home);
  await succeed(home, ["index"]);
  return home;
}

async function say(home: Home, fixture: string, fields: object): Promise<string> {
  return (await sendHook(home, fixture, fields)).block;
}
const begin = (home: Home, source: string, session_id = "s1", more = {}) =>
  say(home, `SessionStart.${source}`, { session_id, ...more });
const prompt = (home: Home, text: string, session_id = "s1") =>
  say(home, "UserPromptSubmit", { session_id, prompt: text });

Deno.test("a session begins with the user, the titles of the rest, what is in flight and the journal", async () => {
  await using home = await makeSession();
  const block = await begin(home, "startup");
  assert.match(block, /^<auto-loaded-memory>[^]*<\/auto-loaded-memory>$/);
  assert.match(block, /prefers short answers/);
  assert.match(block, /Step 2 of 4/);
  assert.match(block, /the first day[^]*moved the rotation job/);
  // Its tools are not registered here, and nothing but a save is worth a command.
  assert.deepEqual(block.match(/`memo \w+|memory_\w+/g), ["`memo add"]);
  assert.match(block, /- JWT setup: About jwt setup/);
  assert.doesNotMatch(block, /httpOnly/);
  assert.ok(block.length <= 9500);
});

Deno.test("a session's start names memo's tools where they are registered", async () => {
  await using home = await makeSession();
  writeFileSync(
    join(home.memoHome, "install.json"),
    JSON.stringify({
      [join(home.claude, "settings.json")]: {
        ...{ self: { command: "memo", args: [] }, before: null, after: "", madeFolder: false },
        mcp: true,
      },
    }),
  );
  const block = await begin(home, "startup");
  assert.match(block, /`memory_search`[^\n]*`memory_expand`/);
  assert.doesNotMatch(block, /`memo /);
});

Deno.test("a pinned memory's title comes first, and memo edit --no-pin undoes it", async () => {
  await using home = await makeSession();
  home.write("tool_ports.md", NOTE("Ports", "tool", "Postgres is on 5433."));
  home.write("feedback_push.md", NOTE("Never force-push", "feedback", "Use --force-with-lease."));
  const titles = async () => (await begin(home, "startup")).match(/^- [A-Z].*/gm);
  const before = await titles();
  assert.match(before![0]!, /^- Never force-push/);
  await succeed(home, ["edit", "Ports", "--pin"]);
  assert.match((await titles())![0]!, /^- Ports/);
  await succeed(home, ["edit", "Ports", "--no-pin"]);
  assert.deepEqual(await titles(), before);
});

Deno.test("a resumed session is told what is new alone, and nothing that it has seen comes again", async () => {
  await using home = await makeSession();
  await begin(home, "startup");
  assert.match(await prompt(home, "where does the refresh token sit"), /httpOnly/);
  assert.equal(await begin(home, "resume"), "");
  home.write("user_more.md", NOTE("More", "user", "Lives in Lisbon."));
  const news = await begin(home, "resume");
  assert.match(news, /added or changed[^]*Lives in Lisbon/);
  assert.doesNotMatch(news, /prefers short answers|Step 2 of 4|JWT setup|# Journal/);
  assert.equal(await begin(home, "resume"), "");
  assert.equal(await prompt(home, "where does the refresh token sit"), "");
  assert.equal(await prompt(home, "who am I, which language do I write"), "");
});

/** A transcript in which the user called a slash command, and the model answered. */
const COMMAND = [
  {
    ...{ uuid: "u1", parentUuid: null, type: "user" },
    message: { role: "user", content: "<command-name>/memo:remember</command-name>" },
  },
  { uuid: "u2", parentUuid: "u1", type: "assistant", message: { role: "assistant" } },
].map((line) => JSON.stringify(line) + "\n").join("");

/** A memory that a conversation has saved. */
const SAVED = (name: string, source: string) =>
  NOTE(name, "feedback", "Use dataclasses.").replace("\n---\n", `\nsource: ${source}\n---\n`);

Deno.test("a session is told of no memory that was saved in it: not with a prompt, not on resume, not after a compaction", async () => {
  await using home = await makeSession();
  const transcript = { transcript_path: join(home.root, "s1.jsonl") };
  writeFileSync(transcript.transcript_path, COMMAND);
  await begin(home, "startup", "s1", transcript);
  home.write("feedback_own.md", SAVED("No pandas in services", "{ session: s1, turn: u1 }"));
  home.write("feedback_same.md", SAVED("No numpy in services", "{ session: s1 }"));
  const ask = (text: string) =>
    say(home, "UserPromptSubmit", { session_id: "s1", prompt: text, ...transcript });
  assert.doesNotMatch(await ask("may services use pandas"), /No pandas/);
  assert.equal(await begin(home, "resume", "s1", transcript), "");
  const boundary =
    '{"uuid":"u3","parentUuid":null,"logicalParentUuid":"u2","type":"system","subtype":"compact_boundary"}\n';
  appendFileSync(transcript.transcript_path, boundary);
  assert.equal(await begin(home, "resume", "s1", transcript), "");
  // Another conversation has none of them.
  assert.match(await begin(home, "startup", "s2"), /No pandas[^]*No numpy|No numpy[^]*No pandas/);
});

Deno.test("a memory that was archived meanwhile is not among the news", async () => {
  await using home = await makeSession();
  await begin(home, "startup");
  home.write("feedback_pandas.md", NOTE("No pandas in services", "feedback", "Use dataclasses."));
  home.write("feedback_numpy.md", NOTE("No numpy in services", "feedback", "Use lists."));
  await succeed(home, ["index"]);
  await succeed(home, ["forget", "No pandas in services", "--yes"]);
  const news = await begin(home, "resume");
  assert.match(news, /No numpy/);
  assert.doesNotMatch(news, /No pandas/);
});

Deno.test("a cleared session begins like a new one", async () => {
  await using home = await makeSession();
  const block = await begin(home, "startup");
  await prompt(home, "where does the refresh token sit");
  assert.equal(await begin(home, "clear", "s2"), block);
  assert.match(await prompt(home, "where does the refresh token sit", "s2"), /httpOnly/);
});

Deno.test("a compacted session gets back what it had in use", async () => {
  await using home = await makeSession();
  await begin(home, "startup");
  await prompt(home, "where does the refresh token sit");
  const block = await begin(home, "compact");
  assert.match(block, /In use before the conversation was compacted[^]*httpOnly/);
  assert.match(block, /prefers short answers/);
  assert.equal(await prompt(home, "where does the refresh token sit"), "");
});

Deno.test("a fork inherits what its transcript says was shown", async () => {
  await using home = await makeSession();
  await begin(home, "startup");
  const shown = await prompt(home, "where does the refresh token sit");
  const transcript = join(home.root, "fork.jsonl");
  const lines = [
    { uuid: "u1", parentUuid: null, type: "user", message: { role: "user", content: "where" } },
    {
      uuid: "u2",
      parentUuid: "u1",
      type: "attachment",
      attachment: {
        type: "hook_additional_context",
        content: [shown],
        hookEvent: "UserPromptSubmit",
      },
    },
    { uuid: "u3", parentUuid: "u2", type: "assistant", message: { role: "assistant" } },
  ];
  writeFileSync(
    transcript,
    `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"half a li`,
  );
  await begin(home, "fork", "s9", { transcript_path: transcript });
  assert.equal(await prompt(home, "where does the refresh token sit", "s9"), "");
  appendFileSync(
    transcript,
    '\n{"uuid":"u4","parentUuid":null,"type":"system","subtype":"compact_boundary"}\n',
  );
  await begin(home, "fork", "s10", { transcript_path: transcript });
  assert.match(await prompt(home, "where does the refresh token sit", "s10"), /httpOnly/);
});

Deno.test("subagents get the memories that fit their own task, the user's too, in whatever order they start", async () => {
  await using home = await makeSession();
  home.write(
    "feedback_migrations.md",
    NOTE("Migrations by hand", "feedback", "Never run a migration by hand; the deploy job does."),
  );
  await succeed(home, ["index"]);
  const call = async (id: string, prompt: string, subagent_type = "general-purpose") => {
    const fields = { tool_use_id: id, tool_input: { prompt, subagent_type, description: "d" } };
    assert.equal((await sendHook(home, "PreToolUse.Agent", fields)).stdout, "");
  };
  const start = (agent_id: string, more: Record<string, unknown> = {}) =>
    say(home, "SubagentStart", { agent_id, ...more });
  const launched = (id: string, agentId: string) =>
    say(home, "PostToolUse.Agent", {
      tool_use_id: id,
      tool_response: { isAsync: true, status: "async_launched", agentId },
    });
  const token = "Find out where the refresh token sits.";
  const migration = "Run the migration by hand on staging.";

  assert.equal(await start("a0"), ""); // Claude Code's own, which no tool has called
  await call("t1", token);
  const withRules = await start("a1");
  assert.match(withRules, /httpOnly/);
  assert.match(withRules, /- Migrations by hand/); // a rule, which holds whatever the task is
  assert.equal(await start("a1"), ""); // its call has been taken

  await call("t2", token);
  await call("t3", migration);
  const [second, first] = [start("a3"), start("a2")];
  await launched("t3", "a3");
  await launched("t2", "a2");
  assert.match(await first, /httpOnly/);
  assert.match(await second, /the deploy job does/);
  for (const [block, other] of [[await first, /deploy job/], [await second, /httpOnly/]] as const) {
    assert.doesNotMatch(block, other);
  }

  await call("t4", token, "Explore");
  await call("t5", migration, "Plan");
  assert.match(await start("a5", { agent_type: "Plan" }), /deploy job/);
  assert.equal(await start("a6", { prompt_id: "another", agent_type: "Explore" }), "");
  assert.equal(await start("a7", { session_id: "another", agent_type: "Explore" }), "");
  assert.match(await start("a4", { agent_type: "Explore" }), /httpOnly/);

  // Where nothing tells which of two calls it was, both count.
  await call("t8", token);
  await call("t9", migration);
  const both = await start("a8");
  assert.match(both, /httpOnly[^]*deploy job/);
});

Deno.test("a hundred prompts repeat nothing and stay within the session's budget, also past a restart", async () => {
  await using home = await makeSession();
  const topics = Array.from({ length: 60 }, (_, i) => `service${i}x`);
  for (const topic of topics) {
    const body = `${topic} listens on its own port. ${"It was moved twice this year. ".repeat(40)}`;
    home.keep(`tool_${topic}.md`, NOTE(`The ${topic}`, "tool", body));
  }
  await runMemo(home, ["config", "set", "recall.session_bytes=20000"]);
  await succeed(home, ["index"]);
  await begin(home, "startup");
  const shown: string[] = [];
  let bytes = 0;
  for (let i = 0; i < 100; i++) {
    if (i === 50) await runMemo(home, ["daemon", "restart"]);
    const block = await prompt(home, `which port does ${topics[i % topics.length]} listen on`);
    bytes += Buffer.byteLength(block);
    shown.push(...[...block.matchAll(/^## .*\] (\S+)/gm)].map((match) => match[1]!));
  }
  assert.ok(shown.length > 5, `${shown.length}`);
  assert.equal(new Set(shown).size, shown.length);
  assert.ok(bytes <= 20_000, `${bytes}`);
});
