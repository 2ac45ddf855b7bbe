// With the real Claude Code: what `memo recall --log --verify` and `memo doctor` say of the blocks that it was given.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Delivery } from "../../src/features/statistics/delivery.ts";
import { blockName } from "../../src/core/text/block.ts";
import { runClaude } from "../support/claude.ts";
import { type Home, makeHome, runMemo, succeed } from "../support/home.ts";
import { serveMessagesApi } from "../support/messages_api.ts";
import { call, CLIENTS, DONE, homeWith, MODEL, note, OLD_MODEL, prepare } from "./session.ts";

const PNPM = note("Package manager is pnpm", "tool", "Install packages with pnpm, never npm");

/** What `memo recall --log --verify` says of each block, and how it ends. */
async function verifiedBy(home: Home): Promise<[number | null, Delivery[]]> {
  const { code, stdout } = await runMemo(home, ["recall", "--log", "--verify", "--json"]);
  const rows: { delivery: Delivery }[] = JSON.parse(stdout);
  return [code, rows.map(({ delivery }) => delivery)];
}

Deno.test("memo recall --log --verify tells what became of the blocks of a real session", async () => {
  await using home = makeHome();
  await using api = await serveMessagesApi(() => DONE);
  home.write("tool_pnpm.md", PNPM);
  for (const args of [["init"], ["index"]]) await succeed(home, args);
  assert.deepEqual(await verifiedBy(home), [1, []]);
  const prompts = ["Which package manager installs packages here?", "Thanks, now go on with it"];
  await runClaude(home, prompts, { api: api.url, model: MODEL });
  assert.deepEqual(await verifiedBy(home), [0, ["delivered", "delivered"]]); // the session's start has one too

  const line = readFileSync(join(home.memoHome, "receipts.jsonl"), "utf8").split("\n")
    .findLast((line) => line.includes('"block"'));
  const lost = { ...JSON.parse(line!), block: blockName("lost") };
  appendFileSync(join(home.memoHome, "receipts.jsonl"), JSON.stringify(lost) + "\n");
  assert.deepEqual(await verifiedBy(home), [1, ["delivered", "delivered", "dropped"]]);
  const { stdout } = await runMemo(home, ["recall", "--log", "--verify"]);
  assert.match(
    stdout,
    /UserPromptSubmit {2}delivered {2}\d+ chars\n.*UserPromptSubmit {2}dropped /,
  );
});

for (const { version } of CLIENTS) {
  Deno.test(`Claude Code ${version}: no block of a session with a subagent is called dropped, and memo doctor finds no fault`, async () => {
    await using home = await homeWith(version);
    if (home === undefined) return;
    home.write("tool_pnpm.md", PNPM);
    home.write(
      "feedback_tables.md",
      note("Plain tables", "feedback", "Print plain tables in the terminal"),
    );
    await prepare(home, ["init"], ["index"]);
    const task = "Subtask: find out which package manager installs packages here";
    await using api = await serveMessagesApi(({ messages, tools = [] }) => {
      const everything = JSON.stringify(messages);
      const name = tools.find(({ name }) => name === "Agent" || name === "Task")?.name;
      return name === undefined || !everything.includes("LAUNCH") ||
          everything.includes("tool_use_id")
        ? DONE
        : [call(name, { prompt: task, description: "packages", subagent_type: "general-purpose" })];
    });
    const options = { api: api.url, model: OLD_MODEL, version };
    await runClaude(home, ["LAUNCH a subagent for the package manager, please"], options);
    const given = api.requests.find(({ messages }) =>
      JSON.stringify(messages).includes(task) && !JSON.stringify(messages).includes("LAUNCH")
    );
    const text = JSON.stringify(given?.messages);
    assert.equal(text.split("<auto-loaded-memory>").length - 1, 2, "rules, and what fits the task");

    const { code, stdout } = await runMemo(home, ["recall", "--log", "--verify", "--json"]);
    const rows: { event: string; delivery: Delivery }[] = JSON.parse(stdout);
    assert.equal(code, 0);
    assert.ok(rows.some(({ event }) => event === "SubagentStart"));
    const wanted = version === "2.0.77" ? "cannot be checked with this version" : "delivered";
    assert.deepEqual([...new Set(rows.map(({ delivery }) => delivery))], [wanted]);
    const doctor = await runMemo(home, ["doctor", "--offline", "--json"]);
    const check = JSON.parse(doctor.stdout).find(({ name }: { name: string }) =>
      name === "delivery"
    );
    assert.equal(check.status, "ok", doctor.stdout);
  });
}
