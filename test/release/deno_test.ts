// memo run by Deno from its sources, with the permissions that the documents name and no more.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { PERMISSIONS } from "../../src/core/link/self.ts";
import { daemonPid, type Home, makeHome, PATIENCE } from "../support/home.ts";
import { run as runProgram } from "../support/run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FLAGS = PERMISSIONS.map((name) => `--allow-${name}`);
const TITLE = "Use pnpm, never npm, to install packages";
const PROMPT = "how do we install packages with pnpm or npm?";

/** Deno's folder of what it has fetched, which a home of a test's own would be without. */
const CACHE = JSON.parse(
  spawnSync(process.execPath, ["info", "--json"], { encoding: "utf8" }).stdout,
).denoDir as string;

/** What is installed globally looks for Deno there. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`;

/** What the registry of packages is reached with: on a fresh machine not all of it is in the cache. */
const NETWORK = Object.fromEntries(
  Object.entries(process.env).filter(([name, value]) =>
    value !== undefined &&
    /^(?:SSL_CERT_|DENO_(?:CERT|TLS)|NODE_EXTRA_CA|https?_proxy|no_proxy|npm_config_)/i.test(name)
  ),
) as Readonly<Record<string, string>>;

/** Runs a program in a home. */
function run(home: Home, command: string, args: readonly string[], stdin = "") {
  const own = { PATH, DENO_DIR: CACHE, DENO_NO_UPDATE_CHECK: "1" };
  return runProgram(command, args, {
    ...{ cwd: home.project, stdin },
    env: { ...home.env, ...NETWORK, ...own },
  });
}

Deno.test("`deno task memo` and docs/install.md name the permissions that memo asks for", () => {
  assert.deepEqual(manifest.tasks.memo.command.match(/--allow-\w+/g), FLAGS);
  const guide = readFileSync(join(ROOT, "docs/install.md"), "utf8");
  assert.deepEqual(/deno install --global ([^\n]*)/.exec(guide)![1]!.match(/--allow-\w+/g), FLAGS);
});

Deno.test("deno install --global: memo adds, recalls and answers a hook, and its daemon may no more than it", async () => {
  await using home = makeHome({ ...PATIENCE, MEMO_HOOK_DEADLINE_MS: "20000" }, { hasModel: true });
  const root = join(home.root, "tools");
  const where = ["--root", root, "--name", "memo", "--config", join(ROOT, "deno.json")];
  const main = join(ROOT, "src/main.ts");
  const installed = await run(home, process.execPath, [
    "install",
    "--global",
    ...where,
    ...FLAGS,
    main,
  ]);
  assert.equal(installed.code, 0, installed.stderr);
  const memo = (args: readonly string[], stdin?: string) =>
    run(home, join(root, "bin/memo"), args, stdin);
  const added = await memo(["add", TITLE]);
  assert.equal(added.code, 0, added.stderr);
  assert.match((await memo(["recall", PROMPT])).stdout, /never npm/);
  const started = await memo(["daemon", "start"]);
  assert.equal(started.code, 0, started.stderr);
  const event = {
    session_id: "s",
    transcript_path: join(home.root, "none.jsonl"),
    cwd: home.project,
    hook_event_name: "UserPromptSubmit",
    prompt: PROMPT,
  };
  assert.match((await memo(["hook"], JSON.stringify(event))).stdout, /never npm/);
  if (existsSync("/proc/self/cmdline")) {
    const words = readFileSync(`/proc/${daemonPid(home.memoHome)}/cmdline`, "utf8").split("\0");
    assert.deepEqual(words.filter((word) => /^-(A|P|-allow)/.test(word)), FLAGS);
  }
});

Deno.test("what the caller was not given, the daemon is not given", async () => {
  await using home = makeHome({}, { hasModel: true });
  const script = join(home.root, "self.ts");
  const self = new URL("../../src/core/link/self.ts", import.meta.url);
  writeFileSync(
    script,
    `import { selfCommand } from ${JSON.stringify(self.href)};
console.log(JSON.stringify(selfCommand().args));`,
  );
  const flags = ["--allow-env", "--allow-read", "--allow-net=127.0.0.1"];
  const { stdout, stderr } = await run(home, process.execPath, [
    "run",
    "--no-prompt",
    "--config",
    join(ROOT, "deno.json"),
    ...flags,
    script,
  ]);
  const words = JSON.parse(stdout || stderr) as string[];
  assert.deepEqual(words.filter((word) => word.startsWith("--allow")), [
    "--allow-read",
    "--allow-env",
  ]);
});
