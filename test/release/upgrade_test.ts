// `memo upgrade` as people run it: the executable, a release on a loopback server, and a daemon that prompts go on reaching.

import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { releaseKeys } from "../../tools/compile/release_keys.ts";
import { HOST } from "../../tools/compile/targets.ts";
import { newSecretKey } from "../../tools/release/signature.ts";
import { VERSION } from "../../src/version.ts";
import {
  endDaemons,
  type Home,
  makeHome,
  MEMO,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { NEWER, OLDER, olderMemo, releaseOf, serveReleases, signed } from "../support/releases.ts";

const TITLE = "Use pnpm, never npm, to install packages";
const PROMPT = "how do we install packages with pnpm or npm?";

/** A home with memo in `bin`; a copy, where an upgrade replaces it, since a link shares its bytes with all tests'. */
async function installed(home: Home, lay = linkSync): Promise<string> {
  const older = await olderMemo();
  const executable = join(home.root, "bin/memo");
  mkdirSync(join(home.root, "bin"));
  lay(older, executable);
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
  await using server = await serveReleases(releaseOf(readFileSync(MEMO), VERSION), VERSION);
  await using home = makeHome({
    ...PATIENCE,
    MEMO_HOOK_DEADLINE_MS: "10000",
    MEMO_UPGRADE_RELEASES: server.url,
  });
  const executable = await installed(home, copyFileSync);
  const run = (...args: string[]) => runMemo(home, args, { executable });
  assert.equal((await run("add", TITLE)).code, 0);
  await warmUp(home);

  const check = await run("upgrade", "--check", "--json");
  assert.equal(check.code, 1, check.stderr);
  assert.deepEqual(JSON.parse(check.stdout), { from: OLDER, to: VERSION, changed: false });

  let isOver = false;
  const answers: boolean[] = [];
  const prompts = (async () => {
    while (!isOver) answers.push(await isAnswered(home, executable, `s${answers.length}`));
  })();
  const upgrade = await run("upgrade");
  isOver = true;
  await prompts;
  assert.equal(upgrade.code, 0, upgrade.stderr);
  assert.match(upgrade.stdout, new RegExp(`Upgraded memo from ${OLDER} to ${VERSION}`));
  assert.ok(answers.length > 0 && answers.every(Boolean), JSON.stringify(answers));
  assert.equal(statSync(executable).mode & 0o777, 0o755);
  assert.match((await run("--version")).stdout, new RegExp(`^memo ${VERSION} `));
  assert.equal((await run("daemon", "status")).code, 0, "the daemon of the new build answers");

  assert.equal((await run("upgrade", "--rollback")).code, 0);
  assert.match((await run("--version")).stdout, new RegExp(`^memo ${OLDER} `));
  assert.equal((await run("daemon", "status")).code, 0);
  assert.ok(await isAnswered(home, executable, "last"));
  await run("uninstall", "--purge");
  assert.ok(
    !existsSync(join(home.memoHome, "previous")),
    "what was kept is state, and goes with it",
  );
  await endDaemons(home.memoHome);
});

/** A program that an upgrade would take. */
const GOOD = Buffer.from(`#!/bin/sh\necho memo ${NEWER} x\n`);

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
    files: () => new Map(signed("manifest.json", '{"version": "../../x"}')),
    says: /Cannot read the release's manifest/,
  },
  {
    because: "a release for other platforms",
    files: () => new Map(signed("manifest.json", `{"version": "${NEWER}", "archives": {}}`)),
    says: /has no archive for/,
  },
  {
    because: "a release without a signature",
    files: () => {
      const files = releaseOf(GOOD, NEWER);
      files.delete("manifest.json.minisig");
      return files;
    },
    says: /Cannot check the signature of the release: .*404/,
  },
  {
    because: "a release that somebody else has signed",
    files: () => {
      const files = releaseOf(GOOD, NEWER);
      const manifest = Buffer.from(files.get("manifest.json")!).toString();
      for (const [name, bytes] of signed("manifest.json", manifest, newSecretKey())) {
        files.set(name, bytes);
      }
      return files;
    },
    says: /signed with the key \w{16}, which this memo does not know/,
  },
  {
    because: "a manifest that was changed after it was signed",
    files: () => {
      const files = releaseOf(GOOD, NEWER);
      const evil = releaseOf(Buffer.from("#!/bin/sh\necho memo 99.0.0 evil\n"), NEWER);
      return new Map([...evil, ["manifest.json.minisig", files.get("manifest.json.minisig")!]]);
    },
    says: /`manifest\.json` is not what was released: its signature by \w{16} is wrong/,
  },
] as const;

for (const { because, files, says } of REFUSED) {
  Deno.test(`memo upgrade refuses ${because}, and changes nothing`, async () => {
    await using server = await serveReleases(files(), NEWER);
    await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
    const executable = await installed(home);
    const before = statSync(executable);
    const { code, stderr } = await runMemo(home, ["upgrade"], { executable });
    assert.notEqual(code, 0);
    assert.match(stderr, says);
    assert.deepEqual(
      [statSync(executable).ino, statSync(executable).mtimeMs],
      [before.ino, before.mtimeMs],
    );
    assert.ok(!existsSync(join(home.memoHome, "previous")));
    assert.deepEqual(readdirSync(join(home.root, "bin")), ["memo"]);
  });
}

Deno.test("memo upgrade takes away what one left behind that was killed", async () => {
  const files = releaseOf(Buffer.from("#!/bin/sh\nkill -KILL $PPID\n"), NEWER);
  await using server = await serveReleases(files, NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home, copyFileSync);
  const bin = join(home.root, "bin");
  assert.equal((await runMemo(home, ["upgrade"], { executable })).code, null);
  assert.equal(readdirSync(bin).length, 2, "it could not tidy up");

  for (const [name, bytes] of releaseOf(GOOD, NEWER)) files.set(name, bytes);
  await succeed(home, ["upgrade"], { executable });
  assert.deepEqual(readdirSync(bin), ["memo"]);
});

Deno.test("memo upgrade says when memo is up to date", async () => {
  await using server = await serveReleases(releaseOf(GOOD, OLDER), OLDER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home);
  const { code, stdout } = await runMemo(home, ["upgrade"], { executable });
  assert.deepEqual([code, stdout], [0, `memo ${OLDER} is up to date\n`]);
});

Deno.test("memo upgrade --to takes an older version, and no other one in its place", async () => {
  const program = Buffer.from("#!/bin/sh\necho memo 0.0.0 x\n");
  await using server = await serveReleases(releaseOf(program, "0.0.0"), "0.0.0");
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home, copyFileSync);
  const { stdout, stderr } = await runMemo(home, ["upgrade", "--to", "v0.0.0"], { executable });
  assert.match(stdout, /from 0\.0\.1 to 0\.0\.0/, stderr);
  await using other = await serveReleases(releaseOf(program, "0.0.0"), NEWER);
  await using next = makeHome({ MEMO_UPGRADE_RELEASES: other.url });
  const args = ["upgrade", "--to", NEWER];
  const refused = await runMemo(next, args, { executable: await installed(next) });
  assert.match(refused.stderr, /The release 99\.0\.0 says that it is 0\.0\.0/);
});

Deno.test("a build without a key of releases upgrades to none, signed or not, and says why", async () => {
  await using server = await serveReleases(releaseOf(GOOD, NEWER), NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const { code, stderr } = await runMemo(home, ["upgrade", "--check"]);
  assert.equal(code, 2);
  assert.match(stderr, releaseKeys().length === 0 ? /development build/ : /does not know/);
});

Deno.test("memo upgrade fetches from https or this machine alone, also where it is sent on", async () => {
  for (const address of ["http://releases.example", "ftp://releases.example", "nothing"]) {
    await using home = makeHome({ MEMO_UPGRADE_RELEASES: address });
    const { code, stderr } = await runMemo(home, ["upgrade", "--check"]);
    assert.equal(code, 2);
    assert.match(stderr, /neither https nor this machine/);
  }
  await using server = await serveReleases(new Map(), NEWER, "http://releases.example/");
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home);
  const { code, stderr } = await runMemo(home, ["upgrade", "--check"], { executable });
  assert.equal(code, 2);
  assert.match(stderr, /which is not https/);
});

Deno.test("memo upgrade leaves a memo alone that a package manager looks after", async () => {
  await using server = await serveReleases(releaseOf(Buffer.from("x"), NEWER), NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const folder = join(home.root, "node_modules/p");
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, "memo");
  linkSync(await olderMemo(), executable);
  const { code, stderr } = await runMemo(home, ["upgrade"], { executable });
  assert.equal(code, 2);
  assert.match(stderr, /npm install --global/);
});
