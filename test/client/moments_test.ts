// With the real Claude Code: an entry comes with the file before the edit, and beside the error.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runClaude, withClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE, runMemo } from "../support/home.ts";
import {
  isMemos,
  type MessagesApi,
  type MessagesRequest,
  type ReplyBlock,
  serveMessagesApi,
} from "../support/messages_api.ts";
import { call, count as countIn, DONE, MODEL, note, ownOf, prepare } from "./session.ts";

const GOTCHA = "Amounts in ledger.ts are cents";
const CENTS = "Divide only where they are shown, never in formatEntry";
const RETRY = "The fixture server has to be started with make fixtures first";

/** A home with a repository, and memories about a file and an error in it. */
async function equipped(): Promise<Home> {
  const home = await withClaude(makeHome(PATIENCE, { hasModel: true }));
  execFileSync("git", ["init", "--quiet"], { cwd: home.project });
  for (const name of ["ledger.ts", "other.ts"]) {
    writeFileSync(join(home.project, name), `export const name = "${name}";\n`);
  }
  home.keep("gotcha_cents.md", note(GOTCHA, "gotcha", `Amounts are integers of cents. ${CENTS}`));
  home.keep(
    "gotcha_fixtures.md",
    note("Tests need the fixture server", "gotcha", `They fail with EFIXTURE 7411. ${RETRY}`),
  );
  await prepare(home, ["init"]);
  return home;
}

/** What the scripted model does next, by the number of tool results that it has. */
async function scripted(steps: readonly (readonly ReplyBlock[])[]): Promise<MessagesApi> {
  return await serveMessagesApi((request) => {
    if (isMemos(request)) return DONE;
    return steps[resultsIn(request)] ?? DONE;
  });
}

/** Replies of the model that used tools. */
const resultsIn = ({ messages }: MessagesRequest) =>
  messages.filter(({ content }) => JSON.stringify(content).includes('"tool_result"')).length;

const read = (home: Home, file: string) => call("Read", { file_path: join(home.project, file) });

/** How often a text is in the last request with so many results. */
const count = (api: MessagesApi, results: number, text: string) =>
  countIn(ownOf(api).findLast((each) => resultsIn(each) === results), text);

Deno.test("the decision of a memory that names a file comes with it, before the edit, and once", async () => {
  await using home = await equipped();
  const file_path = join(home.project, "ledger.ts");
  await using api = await scripted([
    [read(home, "ledger.ts")],
    [call("Edit", { file_path, old_string: "name", new_string: "title" })],
    [read(home, "ledger.ts"), read(home, "other.ts")],
  ]);
  const { session } = await runClaude(home, ["rename it please"], { api: api.url, model: MODEL });
  assert.equal(count(api, 0, CENTS), 0);
  assert.equal(count(api, 1, CENTS), 1, "with the file's text, before the edit");
  assert.equal(count(api, 1, "mentions this file"), 1);
  assert.match(readFileSync(file_path, "utf8"), /title/);
  assert.equal(count(api, 3, CENTS), 1, "not again with the second read");
  const { stdout } = await runMemo(home, ["recall", "--log", "--session", session]);
  assert.match(stdout, /PreToolUse +hit .*Amounts in ledger/);
  const verified = await runMemo(home, ["recall", "--log", "--session", session, "--verify"]);
  assert.match(verified.stdout, /PreToolUse +delivered/);
});

Deno.test("a memory that knows an error comes beside it, and nothing with a command that works", async () => {
  await using home = await equipped();
  const failing = "echo 'Error: EFIXTURE 7411 no fixture server'; exit 1";
  await using api = await scripted([
    [call("Bash", { command: failing, description: "test" })],
    [call("Bash", { command: "echo fine", description: "fine" })],
  ]);
  const { session } = await runClaude(home, ["look at it"], {
    api: api.url,
    model: MODEL,
  });
  assert.equal(count(api, 1, RETRY), 1);
  assert.equal(count(api, 1, "covers this error"), 1);
  assert.equal(count(api, 2, RETRY), 1);
  const { stdout } = await runMemo(home, ["recall", "--log", "--session", session]);
  assert.match(stdout, /PostToolUseFailure +hit .*Tests need the fixture/);
});

Deno.test("a command that the user's rules refuse is no failure", async () => {
  await using home = await equipped();
  const command = "cat 'EFIXTURE 7411 no fixture server'";
  await using api = await scripted([[call("Bash", { command, description: "test" })]]);
  const args = ["--settings", JSON.stringify({ permissions: { deny: ["Bash(cat:*)"] } })];
  await runClaude(home, ["look at it"], { api: api.url, model: MODEL, args });
  assert.match(JSON.stringify(api.requests.at(-1)), /has been denied/);
  assert.equal(count(api, 1, "covers this error"), 0);
});

Deno.test("a subagent that reads a file gets the entry itself, and its session gets it too", async () => {
  await using home = await equipped();
  const task = "count the lines of the first file";
  await using api = await serveMessagesApi((request) => {
    if (isMemos(request)) return DONE;
    const isSub = JSON.stringify(request.messages[0]).includes(task);
    const results = resultsIn(request);
    if (isSub) return results === 0 ? [read(home, "ledger.ts")] : DONE;
    const input = { prompt: task, description: "count", subagent_type: "general-purpose" };
    return [[call("Agent", input)], [read(home, "ledger.ts")]][results] ?? DONE;
  });
  await runClaude(home, ["have it counted"], { api: api.url, model: MODEL });
  const last = (isSub: boolean) =>
    ownOf(api).findLast((request) =>
      JSON.stringify(request.messages[0]).includes(task) === isSub && resultsIn(request) > 0
    );
  for (const isSub of [true, false]) assert.equal(countIn(last(isSub), CENTS), 1);
});
