// What still stands in the conversations of other clients after a compaction, a rewind, a resume or a fork. Where the real
// programs have not recorded one, its lines are made as they make them.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { fence } from "../../src/core/text/block.ts";
import { LiveBranches } from "../../src/core/transcript/live_branch.ts";
import { readTurns } from "../../src/core/transcript/turns.ts";
import { placeSession, recordingOf } from "../support/agent_sessions.ts";
import { temporaryFolder } from "../support/temp.ts";

const block = (note: string) => fence("Notes.", [note]);
const escaped = (text: string) => text.replace(/</g, "&lt;").replace(/>/g, "&gt;");
const AT = "2026-11-23T17:00:00.000Z";

/** The notes that stand, and the prompts. */
async function standing(path: string, branches = new LiveBranches()) {
  const { blocks, prompts } = (await branches.of(path))!;
  return {
    notes: blocks.map(({ text }) => text.split("\n")[3]),
    prompts: prompts.map(({ text }) => text),
  };
}

/** A file that lines are added to, and what is read of it each time. */
function growing(folder: string, head: object) {
  const path = join(folder, "session.jsonl"), branches = new LiveBranches();
  writeFileSync(path, JSON.stringify(head) + "\n");
  return {
    path,
    add(...lines: readonly object[]) {
      for (const line of lines) appendFileSync(path, JSON.stringify(line) + "\n");
      return standing(path, branches);
    },
  };
}

const GEMINI = { sessionId: "s", projectHash: "p", startTime: AT, lastUpdated: AT, kind: "main" };
const asked = (id: string, text: string, note?: string) => {
  const given = note && `<hook_context>${escaped(block(note))}</hook_context>`;
  const content = [text, given ?? ""].filter((part) => part !== "").map((text) => ({ text }));
  return { id, timestamp: AT, type: "user", content };
};
const answered = (id: string) => ({ id, timestamp: AT, type: "gemini", content: "Understood." });

Deno.test("gemini: what a compaction has left stands, with the rest of the file read as it grows", async () => {
  using folder = temporaryFolder();
  const { add } = growing(folder.path, GEMINI);
  const context = asked("m0", "<session_context>Linux</session_context>");
  const first = [asked("m1", "Ship it", "Run make ship"), answered("m2")];
  const one = { notes: ["Run make ship"], prompts: ["Ship it"] };
  assert.deepEqual(await add(context, ...first), one);
  const second = [asked("m3", "And the tests?", "Use make test"), answered("m4")];
  const other = { notes: ["Use make test"], prompts: ["And the tests?"] };
  const both = {
    notes: [...one.notes, ...other.notes],
    prompts: [...one.prompts, ...other.prompts],
  };
  assert.deepEqual(await add(...second), both);
  assert.deepEqual(await add(GEMINI, { $set: { messages: [context], lastUpdated: AT } }), both);
  const again = (id: string) => ({ ...answered(id), content: [{ text: "Understood." }] });
  const resumed = [context, first[0]!, again("m5"), second[0]!, again("m6")];
  assert.deepEqual(await add({ $set: { messages: resumed } }), both);
  assert.deepEqual(await add({ $set: { messages: [context, ...second] } }), other);
});

Deno.test("gemini: what was rewound does not stand, and is not learned", async () => {
  using folder = temporaryFolder();
  const { add, path } = growing(folder.path, GEMINI);
  await add(asked("m1", "Ship it", "Run make ship"), answered("m2"));
  await add(asked("m3", "Use floats", "Amounts are cents"), answered("m4"));
  const after = await add({ $rewindTo: "m3" }, asked("m5", "Use cents"), answered("m6"));
  assert.deepEqual(after, { notes: ["Run make ship"], prompts: ["Ship it", "Use cents"] });
  const turns = await Array.fromAsync(readTurns(path));
  assert.deepEqual(turns.map(({ prompt }) => prompt), ["Ship it", "Use cents"]);
});

Deno.test("qwen: what was rewound or compacted does not stand", async () => {
  using folder = temporaryFolder();
  const line = (uuid: string, parentUuid: string | null, type: string, more: object = {}) => ({
    ...{ uuid, parentUuid, sessionId: "s", timestamp: AT, type },
    ...{ provenance: type === "user" ? "real_user" : "assistant_output", cwd: "/shop", ...more },
  });
  const parts = (...texts: string[]) => ({ message: { parts: texts.map((text) => ({ text })) } });
  const head = line("u1", null, "user", parts("Ship it", escaped(block("Run make ship"))));
  const { add } = growing(folder.path, head);
  await add(
    line("a1", "u1", "assistant", parts("Yes")),
    line("t1", "a1", "system", { subtype: "ui_telemetry" }),
    line("u2", "t1", "user", parts("Use floats", escaped(block("Amounts are cents")))),
    line("a2", "u2", "assistant", parts("Yes")),
  );
  const rewound = await add(
    line("u3", "t1", "user", parts("Use cents")),
    line("a3", "u3", "assistant", parts("Yes")),
  );
  assert.deepEqual(rewound, { notes: ["Run make ship"], prompts: ["Ship it", "Use cents"] });
  const compacted = await add(
    line("c1", "a3", "system", { subtype: "chat_compression" }),
    line("u4", "c1", "user", parts("Go on")),
    line("a4", "u4", "assistant", parts("Yes")),
  );
  assert.deepEqual(compacted, { notes: [], prompts: ["Go on"] });
});

Deno.test("codex: a fork has what it continues up to there, and a compaction leaves nothing", async () => {
  using folder = temporaryFolder();
  const day = join(folder.path, "sessions", "2026", "11", "23");
  const name = (id: string) => join(day, `rollout-2026-11-23T16-08-59-${id}.jsonl`);
  const parent = "01a2092a-f3b0-7b01-9aff-aad339990273";
  placeSession(name(parent), "codex", { session: "compaction" });
  const [before = ""] = recordingOf("codex", "compaction").split(/(?<=\n)(?=.*"ordinal":45,)/);
  const end = `"end_byte_offset":${Buffer.byteLength(before)}`; // long texts of the recordings are cut
  const edit = (text: string) => text.replace(/"end_byte_offset":\d+/, end);
  const fork = placeSession(name("fork"), "codex", { session: "fork", edit });
  const { prompts } = await standing(fork);
  assert.deepEqual(prompts, [
    "We decided: integer cents everywhere.",
    "Ask a helper to list src.",
    "branch off: what now?",
  ]);
  const { prompts: after } = await standing(name(parent));
  assert.deepEqual(after, ["after the summary: what holds?"]);
});

Deno.test("opencode: a fork has copies of what was given, and a compaction leaves nothing", async () => {
  using folder = temporaryFolder();
  const session = "memo-block";
  const path = placeSession(join(folder.path, "opencode.db"), "opencode", { session });
  const branches = new LiveBranches();
  const { notes } = await standing(path, branches);
  assert.equal(notes.length, 2);
  const db = new Database(dirname(path)), at = Date.parse(AT);
  const message = JSON.stringify({ role: "user", time: { created: at } });
  const part = JSON.stringify({ type: "compaction" });
  const id = path.slice(path.lastIndexOf("/") + 1);
  db.prepare("insert into message values ('msg_z', ?, ?, ?, ?)").run(id, at, at, message);
  db.prepare("insert into part values ('prt_z', 'msg_z', ?, ?, ?, ?)").run(id, at, at, part);
  db.close();
  assert.deepEqual(await standing(path, branches), { notes: [], prompts: [] });
});
