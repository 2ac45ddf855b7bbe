import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchRetention } from "../../../tools/bench/retention/bench.ts";
import { renderRetention } from "../../../tools/bench/retention/report.ts";
import { readRetentionSuite } from "../../../tools/bench/retention/suite.ts";
import { describeMachine } from "../../../bench/machine.ts";
import { temporaryFolder } from "../../support/temp.ts";

const SUITE = fileURLToPath(new URL("../../../bench/suites/retention", import.meta.url));

/** A conversation with three facts, one of them a secret, and two prompts. */
const SMALL = fileURLToPath(new URL("../../fixtures/retention", import.meta.url));
/** Of the form that GitHub gives its tokens. */
const TOKEN = "ghp_" + "aB3dE6gH9".repeat(4);

Deno.test("retention writes the questions it has no reply to, and scores once they are recorded", async () => {
  using temp = temporaryFolder();
  cpSync(SMALL, temp.path, { recursive: true });
  for (const name of ["conversations/one.yaml", "facts.yaml"]) {
    const text = readFileSync(join(SMALL, name), "utf8").replace("TOKEN", TOKEN);
    writeFileSync(join(temp.path, name), text);
  }
  const replies = join(temp.path, "replies.jsonl");
  const questions = join(temp.path, "questions");
  const suite = readRetentionSuite(temp.path);
  const options = { replies, questions, presets: ["local"], log: () => {} };

  const first = await benchRetention(suite, options);
  assert.equal(first.kept, undefined);
  assert.deepEqual(first.rows, []);
  const [file] = readdirSync(questions);
  assert.deepEqual(first.open, [basename(file!, ".txt")]);
  assert.match(readFileSync(join(questions, file!), "utf8"), /heron script, never by hand/);

  const reply = {
    ...{ key: first.open[0], answer: JSON.parse(readFileSync(join(SMALL, "answer.json"), "utf8")) },
    ...{ model: "written for the test", at: "", ms: 1, input: 10, output: 5 },
  };
  writeFileSync(replies, JSON.stringify(reply) + "\n");
  const second = await benchRetention(suite, options);
  assert.equal(second.open.length, 1, "more triggers are asked for where a memory has few");
  const more = { notes: [{ number: 1, prompts: ["ship it to the shop"] }] };
  writeFileSync(
    replies,
    [reply, { ...reply, key: second.open[0], answer: more }]
      .map((line) => JSON.stringify(line) + "\n").join(""),
  );
  const { kept, rows, open, model } = await benchRetention(suite, options);
  assert.deepEqual(open, []);
  assert.deepEqual(kept!.kept, { n: 1, of: 2 });
  assert.deepEqual(kept!.missing, ["by-hand"]);
  assert.deepEqual(kept!.wronglyKept, []);
  assert.deepEqual(kept!.leaked, []);
  const { served, asked, longSessionChars } = rows[0]!;
  assert.equal(asked.questions, 0, "`local` asks nobody");
  assert.ok(longSessionChars > served.startChars, "a session has its start and some blocks");
  assert.deepEqual(served.available, { n: 1, of: 1 });
  assert.deepEqual(served.inContext, { n: 1, of: 1 });
  const one = { n: 1, of: 1 }, none = { n: 0, of: 1 };
  assert.deepEqual(served.withPrompt, { all: one, inFull: one });
  assert.deepEqual(served.precision, { all: one, inFull: one });
  assert.deepEqual(served.falseBlocks, { "off-topic": { all: none, inFull: none } });

  const text = renderRetention({ machine: describeMachine(), model, kept, rows, open });
  assert.match(text, /1 of 2 required facts kept/);
  assert.match(text, /local +100 %/);
});

Deno.test("the built-in suite is whole: each fact and prompt names what is there", () => {
  const { conversations, facts, prompts } = readRetentionSuite(SUITE);
  assert.ok(conversations.length >= 12);
  assert.equal(new Set(facts.map(({ id }) => id)).size, facts.length);
  assert.equal(new Set(prompts.map(({ id }) => id)).size, prompts.length);
  const projects = new Set(conversations.map(({ project }) => project));
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  for (const { id, project, needs } of prompts) {
    assert.ok(projects.has(project), id);
    for (const need of needs) {
      assert.ok(["user", project].includes(byId.get(need)!.scope!), `${id} ${need}`);
    }
  }
});
