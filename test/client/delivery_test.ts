// With the real Claude Code: a memory that does not stand in the conversation is given again, and one that does is not.

import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE } from "../support/home.ts";
import {
  type MessagesApi,
  type MessagesRequest,
  serveMessagesApi,
  textOf,
} from "../support/messages_api.ts";
import { HAS_TERMINAL, openTerminal } from "../support/terminal.ts";
import { until } from "../support/until.ts";
import { count, DONE, MODEL, note, ownOf, prepare } from "./session.ts";

const PROMPT = "how do I authenticate against the API?";
const JWT = "Every call carries a JWT in the Authorization header";
const ME = "Writes Go and lives in Lisbon";

/** A home with a memory that answers `PROMPT` and one about the user. */
async function equipped(): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel: true });
  home.write("reference_auth.md", note("API authentication uses JWT", "reference", JWT));
  home.write("user_me.md", note("Me", "user", ME));
  await prepare(home, ["init"]);
  return home;
}

/** A Messages API that answers at once, or as late as it is told. */
async function answering(): Promise<MessagesApi & { delayMs: number }> {
  const api = await serveMessagesApi(async () => {
    await sleep(slow.delayMs);
    return DONE;
  });
  const slow = Object.assign(api, { delayMs: 0 });
  return slow;
}

/** The request that carries a prompt, once it has been made. */
async function requestWith(prompt: string, api: MessagesApi): Promise<MessagesRequest> {
  const has = (request: MessagesRequest) => textOf(request, "user").includes(prompt);
  return await until(`a request carries ${prompt}`, () => ownOf(api).findLast(has));
}

/** The prompt is back in its box. */
const WAITING = /❯\show do I authenticate[^\n]*\n─/;

const terminal = { ignore: !HAS_TERMINAL };

Deno.test(
  "r11: after Esc before the answer, the prompt that is sent again gets the memory again",
  terminal,
  async () => {
    await using home = await equipped();
    await using api = await answering();
    await using claude = await openTerminal(home, { api: api.url, model: MODEL });
    api.delayMs = 60_000;
    await claude.send(PROMPT);
    assert.equal(count(await requestWith(PROMPT, api), JWT), 1);
    await claude.press("Escape");
    await claude.shows(WAITING);
    api.delayMs = 0;
    await claude.send(" be brief");
    const again = await requestWith(`${PROMPT} be brief`, api);
    assert.deepEqual([count(again, JWT), count(again, ME)], [1, 1]);
  },
);

Deno.test(
  "r11: after /rewind, the prompt that is sent again gets the memory again",
  terminal,
  async () => {
    await using home = await equipped();
    await using api = await answering();
    await using claude = await openTerminal(home, { api: api.url, model: MODEL });
    await claude.send("say hello to the visitors");
    await claude.shows(/scripted answer/);
    await claude.send(PROMPT);
    assert.equal(count(await requestWith(PROMPT, api), JWT), 1);
    await claude.shows(/scripted answer[^]*scripted answer/);
    await sleep(1000);
    await claude.send("/rewind");
    await claude.shows(/Enter to continue/);
    await claude.press("Up", "Enter");
    await claude.shows(/Restore conversation/);
    await claude.press("Enter");
    await claude.shows(WAITING);
    await claude.send(" once more");
    const again = await requestWith(`${PROMPT} once more`, api);
    assert.deepEqual([count(again, JWT), count(again, "once more")], [1, 1]);
  },
);

Deno.test(
  "r11: after /clear the conversation is told everything anew, once",
  terminal,
  async () => {
    await using home = await equipped();
    await using api = await answering();
    await using claude = await openTerminal(home, { api: api.url, model: MODEL });
    await claude.send(PROMPT);
    await claude.shows(/scripted answer/);
    await claude.send("/clear");
    const starts = () =>
      readFileSync(join(home.memoHome, "receipts.jsonl"), "utf8").split('"SessionStart"').length -
      1;
    await until("the session has begun anew", () => starts() === 2);
    await claude.send(`${PROMPT} again`);
    const again = await requestWith(`${PROMPT} again`, api);
    assert.deepEqual([count(again, JWT), count(again, ME)], [1, 1]);
  },
);

/** A hook that refuses prompts with a word in capitals, after or before memo has answered. */
function block(home: Home, wait = ""): void {
  const blocker = join(home.root, "block.sh");
  writeFileSync(blocker, `#!/bin/sh\n${wait}if grep -q BLOCKED; then echo no >&2; exit 2; fi\n`);
  chmodSync(blocker, 0o755);
  const path = join(home.claude, "settings.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  settings.hooks.UserPromptSubmit.push({ hooks: [{ type: "command", command: blocker }] });
  writeFileSync(path, JSON.stringify(settings));
}

Deno.test("r11: a memory that went with a prompt which another hook blocked is given to the next", async () => {
  await using home = await equipped();
  await using api = await answering();
  block(home, "sleep 1\n");
  await runClaude(home, [`${PROMPT} BLOCKED`, PROMPT], { api: api.url, model: MODEL });
  const request = await requestWith(PROMPT, api);
  assert.deepEqual([count(request, "BLOCKED"), count(request, JWT)], [0, 1]);
});
