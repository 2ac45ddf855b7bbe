// The whole life of memo on a clean account, as its user has it: the one line, `memo init`, a prompt through the real
// Claude Code, an upgrade, and `memo uninstall --purge`, after which the account is what it was.

import assert from "node:assert/strict";
import { copyFileSync, linkSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/version.ts";
import { type Account, makeAccount } from "../support/account.ts";
import { claudeExecutable, QUIET } from "../support/claude.ts";
import { MEMO } from "../support/home.ts";
import { serveMessagesApi, textOf } from "../support/messages_api.ts";
import { OLDER, olderMemo, releaseOf, serveReleases } from "../support/releases.ts";

const RULE = "Use pnpm, never npm, to install packages";
const PROMPT = "how do we install packages here?";
const HOOKED = '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"true"}]}]}}';
const SETTINGS = '{\\n\\t"model": "sonnet" }\\n';

/** Puts the real client where the account's user can run it. */
async function provideClient({ root }: Account): Promise<string> {
  const folder = join(root, "client");
  mkdirSync(folder);
  const [from, to] = [await claudeExecutable(), join(folder, "claude")];
  try {
    linkSync(from, to); // it is large
  } catch {
    copyFileSync(from, to); // on another disk
  }
  return folder;
}

Deno.test({
  name:
    "a clean account is as it was after the one line, init, a prompt, an upgrade and uninstall --purge",
  ignore: process.platform !== "linux",
  async fn() {
    const files = releaseOf(readFileSync(await olderMemo()), OLDER);
    await using releases = await serveReleases(files, VERSION);
    await using api = await serveMessagesApi(() => [{ type: "text", text: "With pnpm." }]);
    await using account = makeAccount();
    const client = await provideClient(account);
    const env = {
      ...QUIET,
      ANTHROPIC_BASE_URL: api.url,
      PATH: `${account.home}/.local/bin:${client}:/usr/bin:/bin`,
      MEMO_RELEASES: releases.url,
      MEMO_UPGRADE_RELEASES: releases.url,
      MEMO_RECALL_DEADLINE_MS: "1000",
      MEMO_HOOK_DEADLINE_MS: "4500",
    };
    const run = async (line: string) => {
      const { code, stdout, stderr } = await account.run(line, env);
      assert.equal(code, 0, `${line}\n${stdout}${stderr}`);
      return stdout;
    };
    const prompt = `claude -p --model claude-sonnet-5-5 "${PROMPT}"`;

    // What the client leaves behind when it runs with a hook and a server that are not memo's is its own.
    const bare = account.snapshot();
    await run("mkdir .claude");
    await run(`printf '${HOOKED}' > .claude/settings.json`);
    await run(`${prompt} --mcp-config '{"mcpServers":{"other":{"command":"true"}}}'`);
    const own = [...account.snapshot().keys()].filter((path) =>
      !bare.has(path) && !/^home\/\.claude(\/settings\.json)?$/.test(path)
    );
    const isClients = (path: string) =>
      // The second it writes when it runs for long enough.
      /^home\/\.claude(\.json|\/\.last-cleanup)/.test(path) ||
      own.some((its) => path === its || path.startsWith(`${its}/`));
    await run(`printf '${SETTINGS}' > .claude/settings.json`);
    const state = () =>
      new Map(
        [...account.snapshot()].filter(([path]) =>
          !isClients(path) && !/^home\/\.claude\/memory(\/|$)/.test(path)
        ),
      );
    const before = state();

    const pipe = `cat ${join(account.root, "install.sh")} | sh`;
    copyFileSync(new URL("../../install.sh", import.meta.url), join(account.root, "install.sh"));
    assert.match(await run(pipe), /Next: +memo init/);
    const said = await run("memo init --yes");
    assert.match(said, /Added \d+ hooks to `~\/\.claude\/settings\.json`/);
    assert.match(said, /\d+ of \d+ checks are ok/);
    await run(`memo add --scope user "${RULE}"`);
    await run(prompt);
    const request = api.requests.findLast((request) =>
      textOf(request, "user").includes(PROMPT) && textOf(request, "system").includes(RULE)
    );
    assert.ok(request, "the memory is in the request that the model gets");

    files.clear();
    for (const [name, bytes] of releaseOf(readFileSync(MEMO), VERSION)) files.set(name, bytes);
    const line = (await run("memo upgrade")).match(/curl .* sh -s -- (.*)/)![1];
    await run(`${pipe} -s -- ${line}`);
    assert.match(await run("memo --version"), new RegExp(`^memo ${VERSION} `));
    const { stdout } = await account.run("memo doctor --offline", env); // a busy machine fails others
    assert.match(stdout, /ok +hooks/);

    await run("memo uninstall --purge");
    assert.deepEqual(account.processes(), []);
    assert.deepEqual(state(), before);
    const memories = [...account.snapshot().keys()].filter((path) =>
      /\.claude\/memory\/[^/]*pnpm/.test(path)
    );
    assert.equal(memories.length, 1, "memories stay");
  },
});
