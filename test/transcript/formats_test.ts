// What every client's transcripts have to give, over sessions that the real programs have written
// (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "libsql";
import { formatOf, FORMATS } from "../../src/core/transcript/formats/mod.ts";
import { LiveBranches } from "../../src/core/transcript/live_branch.ts";
import { readSummaries, readTurns, type Step, type Turn } from "../../src/core/transcript/turns.ts";
import { blockName } from "../../src/core/text/block.ts";
import { transcriptStats } from "../../src/core/transcript/lines.ts";
import { placeSession, STORED } from "../support/agent_sessions.ts";
import { temporaryFolder } from "../support/temp.ts";

const CWD = "/home/dev/shop";
const DECISION = "We decided: in this shop every money amount is kept as integer cents, never as " +
  "floats. Remember that. Look at src/price.ts first.";

const sessions = temporaryFolder();
globalThis.addEventListener("unload", () => sessions[Symbol.dispose]());

/** The path of a recorded session; of one in a database, in a copy of that. */
function recorded(agent: string, session: string): string {
  const name = agent in STORED ? `${agent}.db` : `${agent}.${session}.jsonl`;
  return placeSession(join(sessions.path, name), agent, { session });
}

async function turnsOf(path: string, from?: number): Promise<Turn[]> {
  return await Array.fromAsync(readTurns(path, { from }));
}

function toolsOf(turn: Turn): (Step & { readonly kind: "tool" })[] {
  return turn.steps.filter((step) => step.kind === "tool");
}

for (const { agent } of FORMATS) {
  const three = recorded(agent, "three-turns");

  Deno.test(`${agent}: what the person typed, what the model said and did, and what failed`, async () => {
    assert.equal(formatOf(three)?.agent, agent);
    const turns = await turnsOf(three);
    assert.deepEqual(turns.map(({ prompt }) => prompt), [
      DECISION,
      "Please run the tests and tell me why they fail.",
      "No, don't use npm here: this repository uses pnpm. What would you do next?",
    ]);
    assert.deepEqual(new Set(turns.map(({ cwd }) => cwd)), new Set([CWD]));
    assert.equal(new Set(turns.map(({ session }) => session)).size, 1);
    assert.ok(turns.every(({ at }) => at.startsWith("2026-11-23T1")));
    const [reading, testing] = [toolsOf(turns[0]!)[0]!, toolsOf(turns[1]!)[0]!];
    assert.ok(["Read", "Bash"].includes(reading.name), reading.name);
    assert.match(reading.input, /src\/price\.ts/);
    assert.match(reading.result, /^(?:.* 1: )?export interface Line/);
    assert.deepEqual([testing.name, testing.input, testing.failed], ["Bash", "npm test", true]);
    assert.match(testing.result, /SHOP_DB_URL is not set/);
    const said = turns.map(({ steps }) => steps.at(-1) as Step & { readonly kind: "text" });
    assert.match(said[0]!.text, /^`src\/price\.ts` still keeps prices as floats/);
    assert.match(said[2]!.text, /^Understood: pnpm instead of npm/);
  });

  Deno.test(`${agent}: from a turn's end on the rest comes, under the same ids`, async () => {
    const turns = await turnsOf(three);
    for (const [i, { end }] of turns.entries()) {
      const rest = await turnsOf(three, end);
      assert.deepEqual(rest.map(({ id }) => id), turns.slice(i + 1).map(({ id }) => id));
    }
  });

  if (!(agent in STORED)) {
    Deno.test(`${agent}: half a last line, and lines of an unknown kind, change nothing`, async () => {
      using folder = temporaryFolder();
      const path = join(folder.path, "session.jsonl");
      const text = readFileSync(three, "utf8");
      writeFileSync(path, text);
      const before = await turnsOf(path);
      const odd = '{"type":"of tomorrow","user":{"assistant":1}}\n[]\nnull\n7\n{"type":"us';
      appendFileSync(path, odd);
      const after = await turnsOf(path);
      assert.deepEqual(after.map(({ prompt }) => prompt), before.map(({ prompt }) => prompt));
      for (let cut = 0; cut < text.length; cut += 997) {
        writeFileSync(path, text.slice(0, cut));
        await turnsOf(path);
      }
    });
  }

  if (agent !== "kilo") {
    Deno.test(`${agent}: a subagent's orders are nobody's word`, async () => {
      const name = agent === "codex" ? "compaction" : "with-subagent";
      const turns = await turnsOf(recorded(agent, name));
      assert.deepEqual(turns.slice(0, 2).map(({ prompt }) => prompt), [
        "We decided: integer cents everywhere.",
        "Ask a helper to list src.",
      ]);
      assert.ok(turns.every(({ prompt }) => !prompt.includes("HELPER")));
      assert.equal(toolsOf(turns[1]!)[0]!.name, "Task");
      if (agent === "copilot") return; // in the same file
      assert.deepEqual(await turnsOf(recorded(agent, "subagent")), []);
    });
  }

  Deno.test(`${agent}: nothing that memo or another hook gave comes back`, async () => {
    const turns = await turnsOf(recorded(agent, "memo-block"));
    assert.match(turns[0]!.prompt, /^How do I reach the staging server\?$/);
    for (const path of [three, recorded(agent, "memo-block")]) {
      const told = await turnsOf(path);
      assert.doesNotMatch(JSON.stringify(told), /auto-loaded-memory/);
      // Qwen Code and OpenCode put what a hook says about a tool behind its result, without a mark.
      const own = told.map(({ prompt, steps }) => [
        prompt,
        ...steps.flatMap((step) =>
          step.kind === "tool" && ["qwen", ...Object.keys(STORED)].includes(agent) ? [] : [step]
        ),
      ]);
      assert.doesNotMatch(JSON.stringify(own), /CTX-|deploy key/);
    }
    for (const turn of turns) {
      for (const { name, result } of toolsOf(turn)) {
        assert.match(name, /^mcp__memo__memory_(?:save|search)$/);
        assert.equal(result, "", "what memo said is not learned again");
      }
    }
  });

  Deno.test(`${agent}: it has no summaries`, async () => {
    assert.deepEqual(await Array.fromAsync(readSummaries(three)), []);
  });

  Deno.test(`${agent}: what memo gave stands in the conversation as it was given, and whose prompts those are`, async () => {
    const path = recorded(agent, "memo-block");
    const { blocks, prompts, allTurns, until } = (await new LiveBranches().of(path))!;
    const read = await turnsOf(path);
    assert.deepEqual(allTurns, new Set(read.map(({ id }) => id)));
    assert.ok(until >= Date.parse(read.at(-1)!.at));
    // What its start was told cost it its first prompt when that session was resumed, and memo's block with it.
    const isLost = agent === "gemini";
    const typed = new Set(read.slice(isLost ? 1 : 0).map(({ prompt }) => prompt));
    assert.deepEqual(new Set(prompts.map(({ text }) => text)), typed);
    assert.equal(blocks.some(({ text }) => text.includes("picked for this prompt")), !isLost);
    for (const { name, text } of blocks) {
      assert.equal(name, blockName(text));
      assert.match(text, /^<auto-loaded-memory>\n[^]*\n<\/auto-loaded-memory>$/);
    }
    assert.equal(new Set(blocks.map(({ name }) => name)).size, blocks.length, "each once");
    assert.deepEqual(await new LiveBranches().takenBack(path), new Set());
  });
}

Deno.test("codex: a compaction repeats nothing, and a fork has only its own turns", async () => {
  const turns = await turnsOf(recorded("codex", "compaction"));
  assert.deepEqual(turns.map(({ prompt }) => prompt), [
    "We decided: integer cents everywhere.",
    "Ask a helper to list src.",
    "after the summary: what holds?",
  ]);
  const fork = await turnsOf(recorded("codex", "fork"));
  assert.deepEqual(fork.map(({ prompt }) => prompt), ["branch off: what now?"]);
});

Deno.test("codex: a patch is an edit of the file that it names", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "session.jsonl");
  const [meta = ""] = readFileSync(recorded("codex", "fork"), "utf8").split("\n");
  const line = (payload: object, type = "response_item") =>
    JSON.stringify({ timestamp: "2026-11-23T16:00:00Z", type, payload });
  const patch = "*** Begin Patch\n*** Update File: src/price.ts\n@@\n-1\n+2\n*** End Patch";
  const said = { type: "UserMessage", id: "u", content: [{ type: "text", text: "Fix it" }] };
  const lines = [
    meta,
    line({ type: "item_completed", turn_id: "t", item: said }, "event_msg"),
    line({ type: "custom_tool_call", call_id: "c", name: "apply_patch", input: patch }),
    line({ type: "custom_tool_call_output", call_id: "c", output: "Done" }),
  ];
  writeFileSync(path, lines.join("\n") + "\n");
  const [turn] = await turnsOf(path);
  assert.deepEqual(turn!.wrote, [join(CWD, "src/price.ts")]);
  assert.equal(toolsOf(turn!)[0]!.name, "Edit");
});

Deno.test("opencode: a fork's copies have the ids of what they were copied from", async () => {
  const [first, second, third] = await turnsOf(recorded("opencode", "fork"));
  const before = await turnsOf(recorded("opencode", "with-subagent"));
  assert.deepEqual([first!.id, second!.id], before.map(({ id }) => id));
  assert.equal(third!.prompt, "branch off: what now?");
});

Deno.test("opencode: a compaction repeats nothing, and a failed tool and a server's are told", async () => {
  const path = recorded("opencode", "with-subagent");
  const db = new Database(dirname(path));
  const session = path.slice(path.lastIndexOf("/") + 1);
  const message = (id: string, created: number, data: object, parts: readonly object[]) => {
    const time = { created };
    db.prepare("insert into message values (?, ?, ?, ?, ?)")
      .run(id, session, created, created, JSON.stringify({ ...data, time }));
    for (const [i, part] of parts.entries()) {
      db.prepare("insert into part values (?, ?, ?, ?, ?, ?)")
        .run(`prt_${id}${i}`, id, session, created, created, JSON.stringify(part));
    }
  };
  const at = 1795460000000;
  message("msg_z0", at, { role: "user" }, [{ type: "compaction", auto: true }]);
  message("msg_z1", at + 1, { role: "assistant", summary: true }, [{ type: "text", text: "Old" }]);
  message("msg_z2", at + 2, { role: "user" }, [{ type: "text", text: "What failed?" }]);
  const state = { status: "error", input: { title: "Cents" }, error: "not found" };
  message("msg_z3", at + 3, { role: "assistant" }, [
    { type: "of tomorrow" },
    { type: "tool", tool: "tracker_create_issue", callID: "c", state },
  ]);
  db.close();
  const turns = await turnsOf(path);
  assert.deepEqual(turns.slice(2).map(({ prompt }) => prompt), ["What failed?"]);
  assert.doesNotMatch(JSON.stringify(turns), /Old/);
  const [call] = toolsOf(turns.at(-1)!);
  const told = { name: "mcp__tracker__create_issue", result: "not found", failed: true };
  assert.partialDeepStrictEqual(call, told);
});

Deno.test("opencode: a database that is still empty has no conversation", () => {
  using folder = temporaryFolder();
  const database = join(folder.path, "opencode.db");
  writeFileSync(database, "");
  assert.equal(transcriptStats(join(database, "ses_1")), undefined);
});
