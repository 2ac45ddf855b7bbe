// `install.sh` as people run it, piped into a shell, with a release on a loopback server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { HOST } from "../../tools/compile/targets.ts";
import { newSecretKey, publicKeyOf } from "../../tools/release/signature.ts";
import { type Home, makeHome, MEMO } from "../support/home.ts";
import { filesIn } from "../support/files.ts";
import { type Finished, run } from "../support/run.ts";
import { releaseOf, SECRET_KEY, serveReleases, signed } from "../support/releases.ts";

const SCRIPT = readFileSync(new URL("../../install.sh", import.meta.url));
const ignore = process.platform === "win32";

/** Pipes the installer into `sh`. */
function install(
  home: Home,
  args: readonly string[],
  env: Record<string, string>,
  script: string | Uint8Array = SCRIPT,
): Promise<Finished> {
  const options = { cwd: home.project, env: { ...home.env, ...env }, stdin: script };
  return run("sh", ["-s", "--", ...args], options);
}

Deno.test({
  name: "install.sh installs memo for the user, and --uninstall leaves the account as it was",
  ignore,
  async fn() {
    await using server = await serveReleases(releaseOf(readFileSync(MEMO), VERSION), VERSION);
    await using home = makeHome({}, { isUnpacked: false, hasModel: true });
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

    await new Promise((done) => spawn(memo, ["init"], { env: home.env }).on("close", done));
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
    await using home = makeHome({}, { hasModel: true });
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

/** minisign as far as the installer calls it, with memo's own check in place of its. */
const MINISIGN = `#!/bin/sh
exec "${Deno.execPath()}" run -A --cached-only --no-check - "$@" <<'END'
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkSignature } from "${new URL(
  "../../src/features/upgrade/releases.ts",
  import.meta.url,
)}";
const short = (short) => ({ type: "string", short });
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { file: short("m"), key: short("P"), V: { type: "boolean", short: "V" }, q: { type: "boolean", short: "q" } },
});
checkSignature(readFileSync(values.file), {
  signature: readFileSync(values.file + ".minisig", "utf8"), keys: [values.key], what: "it",
});
END
`;

Deno.test({
  name: "install.sh has minisign check the sums where there is one, with every key of releases",
  ignore,
  async fn() {
    const release = () => releaseOf(Buffer.from("#!/bin/sh\necho memo 1.2.3\n"), VERSION);
    const known = [publicKeyOf(newSecretKey()), publicKeyOf(SECRET_KEY)];
    const others = signed(
      "SHA256SUMS",
      Buffer.from(release().get("SHA256SUMS")!).toString(),
      newSecretKey(),
    );
    const cases = [
      { files: release(), keys: known, says: /Installed memo 1\.2\.3/ },
      { files: release(), keys: [], says: /Installed memo 1\.2\.3/ },
      { files: release(), keys: known.slice(0, 1), says: /is not signed with memo's release key/ },
      {
        files: new Map([...release(), ...others]),
        keys: known,
        says: /is not signed with memo's release key/,
      },
      {
        files: new Map([...release()].filter(([name]) => !name.endsWith(".minisig"))),
        keys: known,
        says: /Cannot download `.*SHA256SUMS\.minisig`/,
      },
    ];
    for (const { files, keys, says } of cases) {
      await using server = await serveReleases(files, VERSION);
      await using home = makeHome({}, { hasModel: true });
      home.write("tools/minisign", MINISIGN);
      chmodSync(join(home.root, "tools/minisign"), 0o755);
      const env = {
        MEMO_RELEASES: server.url,
        PATH: `${join(home.root, "tools")}:${home.env["PATH"]}`,
        DENO_DIR: join(home.root, "deno"),
      };
      const script = SCRIPT.toString().replace("{{keys}}", keys.join(" "));
      const { code, stdout, stderr } = await install(home, [], env, script);
      assert.match(stdout + stderr, says);
      assert.equal(existsSync(join(home.root, ".local/bin/memo")), code === 0);
    }
  },
});

/** What may be wrong with a release, and what the installer has to say of it. */
const REFUSED = [
  {
    because: "an archive with another sum",
    files: () =>
      releaseOf(Buffer.from("x"), VERSION).set(`memo-${HOST}.tar.gz`, Buffer.from("else")),
    says: /Cannot install `memo-.*its SHA-256 is/,
  },
  {
    because: "an archive without a sum",
    files: () => releaseOf(Buffer.from("x"), VERSION).set("SHA256SUMS", Buffer.from("")),
    says: /`SHA256SUMS` does not list it/,
  },
  {
    because: "a program that does not run",
    files: () => releaseOf(Buffer.from("#!/bin/sh\nexit 3\n"), VERSION),
    says: /Cannot run memo on this machine/,
  },
  { because: "a release that is not there", files: () => new Map(), says: /Cannot download/ },
] as const;

for (const { because, files, says } of REFUSED) {
  Deno.test({
    name: `install.sh refuses ${because}, and leaves the memo that is there`,
    ignore,
    async fn() {
      await using server = await serveReleases(files(), VERSION);
      await using home = makeHome({}, { hasModel: true });
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
      await using home = makeHome({}, { hasModel: true });
      const { code, stderr } = await install(home, [], { MEMO_RELEASES: address });
      assert.equal(code, 2);
      assert.match(stderr, /neither https nor this machine/);
    }
    await using home = makeHome({}, { hasModel: true });
    assert.match((await install(home, [], {})).stderr, /no address of releases/);
  },
});
