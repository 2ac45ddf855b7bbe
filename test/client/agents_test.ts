// Other agents, by the real programs from npm against loopback APIs: each thing that docs/agents.md says of one is shown
// after `memo init --agent` alone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Gift } from "../../src/install/agents/agent.ts";
import { agentNamed } from "../../src/install/agents/mod.ts";
import { pathsFor } from "../../src/paths.ts";
import { MEMORY, serveReplies } from "../capture/support.ts";
import { agentFolder, PROGRAMS, runAgent } from "../support/agents.ts";
import { makeHome, MEMO, PATIENCE, runMemo } from "../support/home.ts";
import { type ModelCall, serveModelApis } from "../support/model_apis.ts";
import { until } from "../support/until.ts";

const SAID = "No, don't use npm here: this repository uses pnpm. What would you do next?";
const BODY = "In this repository use pnpm, don't use npm.";

const note = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: gotcha\n---\n${body}.\n`;
const FAILS = 'echo "Error: SHOP_DB_URL is not set" && false';

/** What the requests of the last session have; capture is what the sessions before it left. */
const PROOFS: Readonly<Record<Exclude<Gift, "capture">, RegExp>> = {
  titles: /- Use pnpm, never npm/,
  prompt: /use pnpm, don't use npm/,
  file: /names this file[^]*Divide only where they are shown/,
  error: /knows this error[^]*Tests take it from make database/,
  mcp: /memory_search/,
};

for (const [agent, program] of Object.entries(PROGRAMS)) {
  const row = agentNamed(agent)!;
  const { label, tried, gives } = row;

  Deno.test({
    name: `${label}: memo gives it what the documents say, and leaves no trace`,
    ignore: process.platform !== "linux" || process.arch !== "x64",
    async fn() {
      assert.match(program.packages[0]!, new RegExp(`@${tried!.replace(".", "\\.")}\\.`));
      await agentFolder(program);
      const triggers = ["install a package", "add a dependency", "pnpm or npm", "npm ci", "lodash"];
      await using memos = await serveReplies({
        journal: [{ turn: 1, bullets: ["The user spoke of pnpm"] }],
        memories: [{ ...MEMORY, body: BODY, triggers }],
      });
      const calls: ModelCall[] = [];
      await using models = await serveModelApis(calls);
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
      execFileSync("git", ["init", "--quiet"], { cwd: home.project });
      mkdirSync(join(home.project, "src"));
      writeFileSync(join(home.project, "src", "price.ts"), "export {};\n");
      home.write(
        "gotcha_cents.md",
        note("Amounts in src/price.ts are cents", "Divide only where they are shown"),
      );
      home.write(
        "gotcha_url.md",
        note("Error: SHOP_DB_URL is not set, in npm test", "Tests take it from make database"),
      );
      const place = { env: home.env, paths: pathsFor(home.env) };
      const paths = row.files(place, { command: MEMO, args: [] }).map(({ path }) => path);
      const texts = () =>
        paths.map((path) => existsSync(path) ? readFileSync(path, "utf8") : undefined);
      const before = texts();
      assert.equal((await runMemo(home, ["init", "--agent", agent])).code, 0);
      const installed = texts();

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
      calls.push(...program.calls(home.project, FAILS));
      await runAgent(home, program, { prompt: "install lodash with npm", url });
      const given = models.received.slice(count).map(({ body }) => body).join("\n");
      assert.ok(gives.includes("capture"));
      for (const [gift, proof] of Object.entries(PROOFS)) {
        assert.equal(proof.test(given), gives.includes(gift as Gift), gift);
      }

      const used = texts();
      assert.equal((await runMemo(home, ["uninstall", "--agent", agent])).code, 0);
      for (const [i, left] of texts().entries()) {
        if (used[i] === installed[i]) assert.equal(left, before[i], paths[i]!);
        else assert.doesNotMatch(left!, /memo/, "what the program itself wrote there stays");
      }
    },
  });
}
