// With the real Claude Code: a start hook that is slower than its timeout, or that is not there, costs a session's first
// prompt its titles only until the next hook: they stand in the conversation once.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runClaude } from "../support/claude.ts";
import { type Home, makeHome, MEMO, PATIENCE } from "../support/home.ts";
import { serveMessagesApi } from "../support/messages_api.ts";
import { count, DONE, MODEL, ownOf, prepare } from "./session.ts";

const TITLES = "memo keeps memories from earlier sessions";

/** A session of three prompts, resumed for a fourth; how often each request of them has the titles. */
async function titlesIn(change: (hooks: Record<string, unknown>) => void): Promise<number[]> {
  await using home: Home = makeHome(PATIENCE, { hasModel: true });
  home.write("feedback_sign.md", "---\nname: Sign all commits\ntype: feedback\n---\nSign.\n");
  await prepare(home, ["init"]);
  const file = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  change(settings.hooks);
  writeFileSync(file, JSON.stringify(settings));
  await using api = await serveMessagesApi(() => DONE);
  const options = { api: api.url, model: MODEL };
  const prompts = ["write a haiku about wind", "and one about rain", "and one about snow"];
  const { session } = await runClaude(home, prompts, options);
  await runClaude(home, ["and one about fog"], { ...options, args: ["--resume", session] });
  return [...prompts, "and one about fog"].map((prompt) =>
    count(
      ownOf(api).findLast(({ messages }) =>
        JSON.stringify(messages.filter(({ role }) => role === "user").at(-1)).includes(prompt)
      ),
      TITLES,
    )
  );
}

Deno.test("without a start hook the first prompt brings the titles", async () => {
  assert.deepEqual(await titlesIn((hooks) => delete hooks["SessionStart"]), [1, 1, 1, 1]);
});

Deno.test("a start hook that is too late, also one that answers all the same: a prompt brings the titles", async () => {
  for (const before of ["sleep 3", "trap '' TERM; sleep 3"]) {
    const command = `${before}; '${MEMO}' hook`;
    const late = { hooks: [{ type: "command", command, timeout: 1 }] };
    const counts = await titlesIn((hooks) => hooks["SessionStart"] = [late]);
    assert.deepEqual(counts.slice(1), [1, 1, 1], `${before}: ${counts}`);
  }
});
