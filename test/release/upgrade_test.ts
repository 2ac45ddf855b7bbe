// `memo upgrade` as people run it: the executable, a release on a loopback server, and a daemon that prompts go on reaching.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { HOST } from "../../tools/compile/targets.ts";
import { VERSION } from "../../src/version.ts";
import {
  endDaemons,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  warmUp,
} from "../support/home.ts";
import { NEWER, newerMemo, releaseOf, serveReleases } from "../support/releases.ts";

const TITLE = "Use pnpm, never npm, to install packages";
const PROMPT = "how do we install packages with pnpm or npm?";

/** A home with memo in `bin`, where an upgrade may replace it. */
function installed(home: Home): string {
  const executable = join(home.root, "bin/memo");
  mkdirSync(join(home.root, "bin"));
  copyFileSync(MEMO, executable); // a link would share its inode with the one that all tests run
  return executable;
}

/** Asks a prompt in a session of its own; whether the memory came with the answer. */
async function isAnswered(home: Home, executable: string, session: string): Promise<boolean> {
  const event = {
    session_id: session,
    transcript_path: join(home.root, "none.jsonl"),
    cwd: home.project,
    hook_event_name: "UserPromptSubmit",
    prompt: PROMPT,
  };
  const { stdout } = await runMemo(home, ["hook"], { executable, stdin: JSON.stringify(event) });
  return stdout.includes("never npm");
}

Deno.test("memo upgrade replaces memo and its daemon, no prompt is lost, and --rollback goes back", async () => {
  const next = await newerMemo();
  await using server = await serveReleases(releaseOf(next, NEWER), NEWER);
  await using home = makeHome({
    ...PATIENCE,
    MEMO_HOOK_DEADLINE_MS: "10000",
    MEMO_UPGRADE_RELEASES: server.url,
  });
  const executable = installed(home);
  const run = (...args: string[]) => runMemo(home, args, { executable });
  assert.equal((await run("add", TITLE)).code, 0);
  await warmUp(home);

  const check = await run("upgrade", "--check", "--json");
  assert.equal(check.code, 1, check.stderr);
  assert.deepEqual(JSON.parse(check.stdout), { from: VERSION, to: NEWER, changed: false });

  let isOver = false;
  const answers: boolean[] = [];
  const prompts = (async () => {
    while (!isOver) answers.push(await isAnswered(home, executable, `s${answers.length}`));
  })();
  const upgrade = await run("upgrade");
  isOver = true;
  await prompts;
  assert.equal(upgrade.code, 0, upgrade.stderr);
  assert.match(upgrade.stdout, new RegExp(`Upgraded memo from ${VERSION} to ${NEWER}`));
  assert.ok(answers.length > 0 && answers.every(Boolean), JSON.stringify(answers));
  assert.equal(statSync(executable).mode & 0o777, 0o755);
  assert.match((await run("--version")).stdout, /^memo 99\.0\.0 /);
  assert.equal((await run("daemon", "status")).code, 0, "the daemon of the new build answers");
  assert.match((await run("upgrade")).stdout, /is the newest/);

  assert.equal((await run("upgrade", "--rollback")).code, 0);
  assert.match((await run("--version")).stdout, new RegExp(`^memo ${VERSION} `));
  assert.equal((await run("daemon", "status")).code, 0);
  assert.ok(await isAnswered(home, executable, "last"));
  await run("uninstall", "--purge");
  assert.ok(
    !existsSync(join(home.memoHome, "previous")),
    "what was kept is state, and goes with it",
  );
  await endDaemons(home.memoHome);
});

/** What a server may do, and what memo has to say of it. */
const REFUSED = [
  {
    because: "an archive with another sum",
    files: () => {
      const files = releaseOf(Buffer.from("memo"), NEWER);
      return files.set(
        `memo-${HOST}.tar.gz`,
        Buffer.alloc(files.get(`memo-${HOST}.tar.gz`)!.length),
      );
    },
    says: /is not what was released/,
  },
  {
    because: "a program that does not run",
    files: () => releaseOf(Buffer.from("#!/bin/sh\nexit 3\n"), NEWER),
    says: /does not run here/,
  },
  {
    because: "a program of another version",
    files: () => releaseOf(Buffer.from("#!/bin/sh\necho memo 98.0.0 x\n"), NEWER),
    says: /says it is 98\.0\.0/,
  },
  {
    because: "a manifest that is none",
    files: () => new Map([["manifest.json", Buffer.from('{"version": "../../x"}')]]),
    says: /Cannot read the release's manifest/,
  },
  {
    because: "a release for other platforms",
    files: () =>
      new Map([["manifest.json", Buffer.from(`{"version": "${NEWER}", "archives": {}}`)]]),
    says: /has no archive for/,
  },
] as const;

for (const { because, files, says } of REFUSED) {
  Deno.test(`memo upgrade refuses ${because}, and changes nothing`, async () => {
    await using server = await serveReleases(files(), NEWER);
    await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
    const executable = installed(home);
    const before = statSync(executable);
    const { code, stderr } = await runMemo(home, ["upgrade"], { executable });
    assert.notEqual(code, 0);
    assert.match(stderr, says);
    assert.deepEqual(
      [statSync(executable).ino, statSync(executable).mtimeMs],
      [before.ino, before.mtimeMs],
    );
    assert.ok(!existsSync(join(home.memoHome, "previous")));
  });
}

Deno.test("memo upgrade fetches from https or this machine alone, also where it is sent on", async () => {
  for (const address of ["http://releases.example", "ftp://releases.example", "nothing"]) {
    await using home = makeHome({ MEMO_UPGRADE_RELEASES: address });
    const { code, stderr } = await runMemo(home, ["upgrade", "--check"]);
    assert.equal(code, 2);
    assert.match(stderr, /neither https nor this machine/);
  }
  await using server = await serveReleases(new Map(), NEWER, "http://releases.example/");
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const { code, stderr } = await runMemo(home, ["upgrade", "--check"]);
  assert.equal(code, 2);
  assert.match(stderr, /which is not https/);
});

Deno.test("memo upgrade leaves a memo alone that a package manager looks after", async () => {
  await using server = await serveReleases(releaseOf(Buffer.from("x"), NEWER), NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const folder = join(home.root, "node_modules/p");
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, "memo");
  copyFileSync(MEMO, executable);
  const { code, stderr } = await runMemo(home, ["upgrade"], { executable });
  assert.equal(code, 2);
  assert.match(stderr, /npm install --global/);
});
