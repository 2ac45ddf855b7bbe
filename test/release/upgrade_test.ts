// `memo upgrade` as people run it: the executable, and a release on a loopback server.

import assert from "node:assert/strict";
import { linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { releaseKeys } from "../../tools/compile/release_keys.ts";
import { newSecretKey } from "../../tools/release/signature.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";
import { NEWER, OLDER, olderMemo, serveReleases, signed } from "../support/releases.ts";

/** A home with memo in one of its folders. */
async function installed(home: Home, folder = "bin"): Promise<string> {
  const executable = join(home.root, folder, "memo");
  mkdirSync(join(home.root, folder), { recursive: true });
  linkSync(await olderMemo(), executable);
  return executable;
}

function manifest(version: string, secret?: string): Map<string, Uint8Array> {
  return new Map(signed("manifest.json", JSON.stringify({ version }), secret));
}

Deno.test("memo upgrade prints the command that installs a newer release, and --check is 1 then", async () => {
  await using server = await serveReleases(manifest(NEWER), NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home);
  const { code, stdout, stderr } = await runMemo(home, ["upgrade", "--json"], { executable });
  assert.equal(code, 0, stderr);
  const { command, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, { from: OLDER, to: NEWER, changed: false });
  assert.equal(
    command,
    `curl -fsSL ${server.url}/download/v${NEWER}/install.sh | sh -s -- --version ${NEWER} --to '${home.root}/bin'`,
  );
  assert.equal((await runMemo(home, ["upgrade", "--check"], { executable })).code, 1);
  const managed = await installed(home, "node_modules/p");
  const npm = await runMemo(home, ["upgrade"], { executable: managed });
  assert.match(npm.stdout, /npm install --global/);
});

Deno.test("memo upgrade says when memo is up to date, --to names an older version, and no other one in its place", async () => {
  await using server = await serveReleases(manifest(OLDER), OLDER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const executable = await installed(home);
  const { code, stdout } = await runMemo(home, ["upgrade", "--check"], { executable });
  assert.deepEqual([code, stdout], [0, `memo ${OLDER} is up to date\n`]);
  await using older = await serveReleases(manifest("0.0.0"), "0.0.0");
  const env = { ...home.env, MEMO_UPGRADE_RELEASES: older.url };
  const to = await runMemo({ ...home, env }, ["upgrade", "--to", "v0.0.0"], { executable });
  assert.match(to.stdout, /--version 0\.0\.0 /, to.stderr);
  await using other = await serveReleases(manifest("0.0.0"), NEWER);
  const next = { ...home, env: { ...home.env, MEMO_UPGRADE_RELEASES: other.url } };
  const refused = await runMemo(next, ["upgrade", "--to", NEWER], { executable });
  assert.match(refused.stderr, /Cannot use release 99\.0\.0: it says it is 0\.0\.0/);
});

/** What a server may do, and what memo has to say of it. */
const REFUSED = [
  [
    "a manifest that is none",
    () => new Map(signed("manifest.json", '{"version": "../../x"}')),
    /Cannot read the release's manifest/,
  ],
  [
    "a release without a signature",
    () => new Map([...manifest(NEWER)].slice(0, 1)),
    /Cannot check the release's signature: .*404/,
  ],
  [
    "a release that somebody else has signed",
    () => manifest(NEWER, newSecretKey()),
    /signed with the key \w{16}, which this memo does not know/,
  ],
  [
    "a manifest that was changed after it was signed",
    () =>
      new Map([...manifest("99.0.1"), [
        "manifest.json.minisig",
        [...manifest(NEWER).values()][1]!,
      ]]),
    /`manifest\.json` is not what was released: its signature by \w{16} is wrong/,
  ],
] as const;

Deno.test("memo upgrade refuses what was not released", async () => {
  await using home = makeHome();
  const executable = await installed(home);
  for (const [what, files, says] of REFUSED) {
    await using server = await serveReleases(files(), NEWER);
    const env = { ...home.env, MEMO_UPGRADE_RELEASES: server.url };
    const { code, stderr } = await runMemo({ ...home, env }, ["upgrade"], { executable });
    assert.notEqual(code, 0, what);
    assert.match(stderr, says, what);
  }
});

Deno.test("a build without a key of releases names none, signed or not, and says why", async () => {
  await using server = await serveReleases(manifest(NEWER), NEWER);
  await using home = makeHome({ MEMO_UPGRADE_RELEASES: server.url });
  const { code, stderr } = await runMemo(home, ["upgrade", "--check"]);
  assert.equal(code, 2);
  assert.match(stderr, releaseKeys().length === 0 ? /development build/ : /does not know/);
});

Deno.test("memo upgrade fetches from https or this machine alone, also where it is sent on", async () => {
  await using home = makeHome();
  const executable = await installed(home);
  const check = async (address: string) => {
    const env = { ...home.env, MEMO_UPGRADE_RELEASES: address };
    const { code, stderr } = await runMemo({ ...home, env }, ["upgrade", "--check"], {
      executable,
    });
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(await check("http://releases.example"), /neither https nor on this machine/);
  for (const address of ["ftp://releases.example", "nothing"]) {
    assert.match(await check(address), /has no release URL/, "it is ignored");
  }
  await using server = await serveReleases(new Map(), NEWER, "http://releases.example/");
  assert.match(await check(server.url), /which is not https/);
});
