// `memo import conversations` on an export of ChatGPT or Claude.ai, by the executable, with a language model on loopback.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { filesIn, MEMORY, useModel } from "../capture/support.ts";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import { run } from "../support/run.ts";
import { type MessagesRequest, serveMessagesApi } from "../support/messages_api.ts";

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/chats/${name}.json`, import.meta.url)), "utf8");

/** What the model finds in conversations that have a text. */
const FINDS: Readonly<Record<string, object>> = {
  "live in Basel": { name: "You live in Basel", type: "user", body: "The user lives in Basel." },
  "Use pnpm for everything": { name: "Use pnpm, never npm", body: "Use pnpm for everything." },
  "Tuesdays": {
    name: "Run the smoke test by hand",
    body: "Always run the smoke test by hand.",
  },
};

async function serveFinds(home: Home) {
  const api = await serveMessagesApi((request) => {
    const text = textOf(request);
    const [, found] = Object.entries(FINDS).find(([words]) => text.includes(words)) ?? [];
    const memories = found === undefined ? [] : [{ ...MEMORY, scope: "project", ...found }];
    const journal = [{ turn: 1, bullets: ["The user asked for help"] }];
    return [{ type: "tool_use", name: "answer", input: { journal, memories } }];
  });
  useModel(home, api);
  return api;
}

/** The conversation in a request. */
const textOf = ({ messages }: MessagesRequest) =>
  JSON.stringify(messages).split("Conversation:")[1]!;

/** Writes an export as its service packs it. */
function packed(home: Home, name: string, list = fixture(name)): string {
  const path = join(home.root, `${name}.zip`);
  const text = new TextEncoder().encode(list);
  writeFileSync(path, zipSync({ "chat.html": new Uint8Array(9), "conversations.json": text }));
  return path;
}

const importing = (home: Home, ...args: string[]) =>
  runMemo(home, ["import", "conversations", ...args]);
const usersOf = (home: Home) => filesIn(join(home.claude, "memory"));

Deno.test("an export is counted first, asked about once, and gives the user's memories their days", async () => {
  await using home = makeHome();
  await using api = await serveFinds(home);
  mkdirSync(join(home.project, ".git"));
  const path = packed(home, "chatgpt");

  const old = await importing(home, path);
  assert.match(old.stderr, /^No conversations to capture from ChatGPT in the last 30d$/m);
  assert.match(old.stderr, /has 2 conversations, the last of 2026-03-05; `--all` takes all/);
  const counted = await importing(home, path, "--all");
  assert.equal(counted.code, 0, counted.stderr);
  assert.match(
    counted.stderr,
    /^2 conversations from ChatGPT: 2 questions to claude-\S+ through `anthropic` \(\d{3} characters\), about \$\d\.\d\d, at most \$\d+ a day$/m,
  );
  assert.match(counted.stderr, /^What they say is saved for every project$/m);
  assert.match(counted.stderr, /hint: Run `memo import conversations \S+chatgpt\.zip --all --yes`/);
  const dry = await importing(home, path, "--all", "--dry-run", "--json");
  const { conversations, questions, chars } = JSON.parse(dry.stdout);
  assert.deepEqual([conversations, questions, chars > 100], [2, 2, true]);
  assert.deepEqual([usersOf(home), api.requests.length], [{}, 0]);

  const done = await importing(home, path, "--all", "--yes", "--json");
  assert.equal(done.code, 0, done.stderr);
  const { captured, written, failed, skipped } = JSON.parse(done.stdout);
  assert.deepEqual({ captured, written, failed, skipped }, {
    ...{ captured: 2, written: 2, failed: [], skipped: [] },
  });
  assert.deepEqual(
    api.requests.map((request) => /Basel|pnpm for everything/.exec(textOf(request))?.[0]),
    ["Basel", "pnpm for everything"],
    "the oldest comes first",
  );
  assert.doesNotMatch(api.requests.map(textOf).join(), /HIDDEN|FIRST WORDING|FORGET/);
  const { "feedback_use-pnpm-never-npm.md": pnpm, "user_you-live-in-basel.md": basel } = usersOf(
    home,
  );
  assert.match(pnpm!, /^created: "?2026-03-02T09:01:00/m);
  assert.match(basel!, /^created: "?2024-05-17T07:00:00/m);
  assert.match(
    pnpm!,
    /transcript: https:\/\/chatgpt\.com\/c\/a1b2c3d4-0000-4000-8000-000000000100$/m,
  );
  assert.doesNotMatch(pnpm!, /concluded|read-/, "the person typed it");
  assert.deepEqual(Object.keys(filesIn(home.privately)), [], "it is no project's");

  const again = await importing(home, path, "--all", "--yes");
  assert.match(again.stderr, /^No conversations to capture from ChatGPT$/m);
  assert.equal(api.requests.length, 2);
  const anew = await importing(home, path, "--all", "--yes", "--again", "--json");
  assert.deepEqual([JSON.parse(anew.stdout).captured, JSON.parse(anew.stdout).written], [2, 0]);
  assert.equal(api.requests.length, 4);
});

Deno.test("a memory of an export shows the link to its conversation", async () => {
  await using home = makeHome();
  await using _ = await serveFinds(home);
  await importing(home, packed(home, "chatgpt"), "--all", "--yes");
  const link = "https://chatgpt.com/c/a1b2c3d4-0000-4000-8000-000000000100";
  const shown = await runMemo(home, ["show", "pnpm", "--history"]);
  assert.ok(shown.stdout.includes(`\nSource\n${link}\n`), shown.stdout + shown.stderr);
  const source = await runMemo(home, ["show", "pnpm", "--source"]);
  assert.equal(source.code, 1);
  assert.ok(source.stderr.includes(`hint: Open ${link}`), source.stderr);
  const gone = await runMemo(home, ["forget", "--hard", "--yes", "Use pnpm, never npm"]);
  const remains = `the conversation it came from: ${link}`;
  assert.ok((gone.stdout + gone.stderr).includes(remains), gone.stdout + gone.stderr);
});

Deno.test("with --scope project an export is this project's, and what an attachment says is nobody's order", async () => {
  await using home = makeHome();
  await using _ = await serveFinds(home);
  const path = packed(home, "claude");
  const outside = await run(MEMO, ["import", path, "--all", "--scope", "project"], {
    ...{ cwd: home.root, env: home.env },
  });
  assert.equal(outside.code, 2);
  assert.match(outside.stderr, /^error: Cannot import for a project: .* is not in one\n\nhint: /m);
  mkdirSync(join(home.project, ".git"));
  const asked = await importing(home, path, "--last", "500w", "--scope", "project");
  assert.match(asked.stderr, /`memo import conversations \S+ --last 500w --scope project --yes`/);
  const done = await runMemo(home, ["import", path, "--all", "--yes", "--scope", "project"]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, /^Recognised `.*claude\.zip` as conversations$/m);
  assert.match(done.stderr, /^What they say is saved for this project$/m);
  const places = Object.keys(usersOf(home)).map((name) => name.split("/")[0]);
  assert.deepEqual([...new Set(places)], ["projects"], "nothing is the user's");
  const files = filesIn(home.privately);
  const found = Object.entries(files).find(([name]) => name.includes("smoke-test"));
  assert.match(found?.[1] ?? "", /suspect/, JSON.stringify(files));
});

Deno.test("of an export only recent conversations are taken, unless it is said how far back", async () => {
  await using home = makeHome();
  await using _ = await serveFinds(home);
  const list = JSON.parse(fixture("claude"));
  const now = Date.now();
  for (const [i, days] of [5, 50].entries()) {
    const at = new Date(now - days * 86_400_000).toISOString();
    for (const message of list[i].chat_messages) message.created_at = at;
  }
  const path = packed(home, "claude", JSON.stringify(list));
  const count = async (...args: string[]) => {
    const { stdout } = await importing(home, path, "--dry-run", "--json", ...args);
    return JSON.parse(stdout).conversations;
  };
  assert.deepEqual(
    [
      await count(),
      await count("--last", "3d"),
      await count("--last", "60d"),
      await count("--all"),
    ],
    [1, 0, 2, 2],
  );
});

const OFF: Readonly<Record<string, readonly [settings: string, because: RegExp, hint: RegExp]>> = {
  "sending is off": [
    "send: off\n",
    /nothing is sent to a language model \(`send` is `off`\)/,
    /hint: Run `memo config set send=capture` to allow it/,
  ],
  "capture is not among what may be sent": [
    "send: dream\n",
    /`send` does not include `capture` \(add it: `memo config set send=dream,capture`\)/,
    /hint: Run `memo init`/,
  ],
};

for (const [what, [settings, because, hint]] of Object.entries(OFF)) {
  Deno.test(`where ${what}, an export is only counted, and the command that changes it is named`, async () => {
    await using home = makeHome({}, { mayBeSent: false });
    await using api = await serveFinds(home);
    writeFileSync(
      join(home.memoHome, "config.yaml"),
      settings + readFileSync(join(home.memoHome, "config.yaml"), "utf8"),
    );
    const path = packed(home, "chatgpt");
    const dry = await importing(home, path, "--all", "--dry-run");
    assert.equal(dry.code, 0);
    const refused = await importing(home, path, "--all", "--yes");
    assert.equal(refused.code, 2);
    for (const { stderr } of [dry, refused]) {
      assert.match(stderr, /^2 conversations from ChatGPT: 2 questions/m);
      assert.match(stderr, because);
      assert.match(stderr, hint);
    }
    assert.deepEqual([usersOf(home), api.requests.length], [{}, 0]);
  });
}

Deno.test("a damaged export is captured as far as it goes, and the rest is named", async () => {
  await using home = makeHome();
  await using api = await serveFinds(home);
  const whole = JSON.stringify(JSON.parse(fixture("chatgpt")));
  const cut = whole.slice(0, whole.lastIndexOf('"I live in Basel"'));
  const path = home.write("tmp/conversations.json", cut);
  const done = await importing(home, path, "--all", "--yes");
  assert.equal(done.code, 0, done.stderr);
  assert.match(
    done.stderr,
    /^warning: left out `conversations\.json` after conversation 2: it ends in the middle$/m,
  );
  assert.match(done.stderr, /^Captured 1 conversation, wrote 1 memory$/m);
  assert.equal(api.requests.length, 1);
  const none = await importing(home, home.write("tmp/a.zip", "PK\x03\x04 nothing"));
  assert.equal(none.code, 2);
  assert.match(none.stderr, /^error: Cannot read the export `.*a\.zip`: .*\n\nhint: Pass the ZIP/);
});
