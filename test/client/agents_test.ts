// Other agents, by the real programs from npm against loopback APIs: `memo init --agent` alone makes a conversation in one
// of them a memory, which the next session has with its prompt.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentNamed } from "../../src/install/agents/mod.ts";
import { MEMORY, serveReplies } from "../capture/support.ts";
import { agentFolder, PROGRAMS, runAgent } from "../support/agents.ts";
import { makeHome, PATIENCE, runMemo } from "../support/home.ts";
import { serveModelApis } from "../support/model_apis.ts";
import { until } from "../support/until.ts";

const SAID = "No, don't use npm here: this repository uses pnpm. What would you do next?";
const BODY = "In this repository use pnpm, don't use npm.";

for (const [agent, program] of Object.entries(PROGRAMS)) {
  const { label, tried } = agentNamed(agent)!;

  Deno.test({
    name: `${label}: a conversation becomes a memory, and the next one has it`,
    ignore: process.platform !== "linux" || process.arch !== "x64",
    async fn() {
      assert.match(program.packages[0]!, new RegExp(`@${tried!.replace(".", "\\.")}\\.`));
      await agentFolder(program);
      const triggers = ["install a package", "add a dependency", "pnpm or npm", "npm ci", "lodash"];
      await using memos = await serveReplies({
        journal: [{ turn: 1, bullets: ["The user spoke of pnpm"] }],
        memories: [{ ...MEMORY, body: BODY, triggers }],
      });
      await using models = await serveModelApis();
      await using home = makeHome(PATIENCE);
      appendFileSync(
        join(home.memoHome, "config.yaml"),
        `llm: {provider: anthropic, base_url: "${memos.url}"}\n`,
      );
      const { url } = models;
      const [name, text] = program.file?.(url) ?? [];
      if (name !== undefined) {
        mkdirSync(dirname(join(home.root, name)), { recursive: true });
        writeFileSync(join(home.root, name), text!);
      }
      const before = name === undefined ? undefined : readFileSync(join(home.root, name), "utf8");
      assert.equal((await runMemo(home, ["init", "--agent", agent])).code, 0);

      await runAgent(home, program, { prompt: SAID, url });
      // Without a terminal Qwen Code says nothing at its end; the next session's start takes up what was left.
      await runAgent(home, program, { prompt: "And now?", url });
      mkdirSync(home.privately, { recursive: true });
      const written = () => readdirSync(home.privately).filter((file) => /^feedback_/.test(file));
      await until("the memory is there", () => written().length > 0);
      assert.deepEqual(written(), ["feedback_use-pnpm-never-npm.md"]);
      const asked = JSON.stringify(memos.requests);
      assert.match(asked, /User: No, don't use npm here/);
      assert.doesNotMatch(asked, /auto-loaded-memory/);

      const count = models.received.length;
      await runAgent(home, program, { prompt: "install lodash with npm", url });
      const given = models.received.slice(count).map(({ body }) => body).join("\n");
      assert.match(given, /- Use pnpm, never npm/, "the titles");
      assert.match(given, /use pnpm, don't use npm/, "and the memory");

      assert.equal((await runMemo(home, ["uninstall", "--agent", agent])).code, 0);
      if (before !== undefined) {
        const left = readFileSync(join(home.root, name!), "utf8");
        assert.doesNotMatch(left, /memo/, "what the program itself wrote there stays");
      }
    },
  });
}
