// `install.sh` as people run it, piped into a shell, with a release on a loopback server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { HOST } from "../../tools/compile/targets.ts";
import { type Home, makeHome, MEMO } from "../support/home.ts";
import { releaseOf, serveReleases } from "../support/releases.ts";

const SCRIPT = readFileSync(new URL("../../install.sh", import.meta.url));
const ignore = process.platform === "win32";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Pipes the installer into `sh`. */
function install(home: Home, args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = spawn("sh", ["-s", "--", ...args], {
    cwd: home.project,
    env: { ...home.env, ...env },
  });
  child.stdin.end(SCRIPT);
  return new Promise((done) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

/** Every file below a folder, with what is in it. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    .filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

Deno.test({
  name: "install.sh installs memo for the user, and --uninstall leaves the account as it was",
  ignore,
  async fn() {
    await using server = await serveReleases(releaseOf(readFileSync(MEMO), VERSION), VERSION);
    await using home = makeHome();
    home.write("project/CLAUDE.md", "Be brief.\n");
    home.write(".claude/settings.json", '{ "model": "opus" }\n');
    const before = filesIn(home.root);
    const env = { MEMO_RELEASES: server.url };
    const { code, stdout, stderr } = await install(home, [], env);
    assert.equal(code, 0, stderr);
    const memo = join(home.root, ".local/bin/memo");
    assert.match(stdout, new RegExp(`Installed memo ${VERSION} .* as ${memo}`));
    assert.match(stdout, /is not on your PATH/);
    assert.match(stdout, /Next: +memo init/);
    assert.deepEqual(readdirSync(join(home.root, ".local/bin")), ["memo"]);
    assert.equal(statSync(memo).mode & 0o777, 0o755);
    assert.deepEqual(server.received.map(({ path }) => path), [
      "/latest/download/SHA256SUMS",
      `/latest/download/memo-${HOST}.tar.gz`,
    ]);

    await new Promise((done) => spawn(memo, ["install"], { env: home.env }).on("close", done));
    assert.match(readFileSync(join(home.claude, "settings.json"), "utf8"), /UserPromptSubmit/);
    const gone = await install(home, ["--uninstall", "--purge"], env);
    assert.equal(gone.code, 0, gone.stderr);
    assert.deepEqual(filesIn(home.root), before);
  },
});

Deno.test({
  name: "install.sh takes a version and a folder",
  ignore,
  async fn() {
    const program = Buffer.from("#!/bin/sh\necho memo 1.2.3\n");
    await using server = await serveReleases(releaseOf(program, "1.2.3"), "1.2.3");
    await using home = makeHome();
    const folder = join(home.root, "my tools");
    const args = ["--version", "1.2.3", "--to", folder];
    const env = { MEMO_RELEASES: server.url, PATH: `${home.env["PATH"]}:${folder}` };
    const { code, stdout, stderr } = await install(home, args, env);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, /not on your PATH/);
    assert.ok(existsSync(join(folder, "memo")));
    assert.match(server.received[0]!.path, /^\/download\/v1\.2\.3\//);
  },
});

/** What may be wrong with a release, and what the installer has to say of it. */
const REFUSED = [
  {
    because: "an archive with another sum",
    files: () =>
      releaseOf(Buffer.from("x"), VERSION).set(`memo-${HOST}.tar.gz`, Buffer.from("else")),
    says: /is not what was released/,
  },
  {
    because: "an archive without a sum",
    files: () => releaseOf(Buffer.from("x"), VERSION).set("SHA256SUMS", Buffer.from("")),
    says: /does not name/,
  },
  {
    because: "a program that does not run",
    files: () => releaseOf(Buffer.from("#!/bin/sh\nexit 3\n"), VERSION),
    says: /does not run here/,
  },
  { because: "a release that is not there", files: () => new Map(), says: /Cannot fetch/ },
] as const;

for (const { because, files, says } of REFUSED) {
  Deno.test({
    name: `install.sh refuses ${because}, and leaves the memo that is there`,
    ignore,
    async fn() {
      await using server = await serveReleases(files(), VERSION);
      await using home = makeHome();
      const folder = join(home.root, ".local/bin");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "memo"), "the one before");
      const { code, stderr } = await install(home, [], { MEMO_RELEASES: server.url });
      assert.equal(code, 2);
      assert.match(stderr, says);
      assert.deepEqual(filesIn(folder), { memo: "the one before" });
    },
  });
}

Deno.test({
  name: "install.sh fetches from https or this machine alone",
  ignore,
  async fn() {
    for (const address of ["http://releases.example", "file:///etc"]) {
      await using home = makeHome();
      const { code, stderr } = await install(home, [], { MEMO_RELEASES: address });
      assert.equal(code, 2);
      assert.match(stderr, /neither https nor this machine/);
    }
    await using home = makeHome();
    assert.match((await install(home, [], {})).stderr, /does not know where releases are/);
  },
});
