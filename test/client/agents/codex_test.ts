import assert from "node:assert/strict";
import {
  agentFolder,
  type AgentProgram,
  prepareAgent,
  PROGRAMS,
  runAgent,
} from "../../support/agents.ts";
import { runMemo } from "../../support/home.ts";
import { serveModelApis } from "../../support/model_apis.ts";
import { install, lastSession, ONLY, shop, showAgent, TITLES } from "./conversation.ts";

showAgent("codex");

Deno.test({
  name:
    "Codex CLI: nothing runs until it is trusted, and the doctor says so; a compaction at a resume gives all once more",
  ...ONLY,
  async fn() {
    const codex = PROGRAMS["codex"]!;
    const untrusted: AgentProgram = {
      ...codex,
      args: (...of) => codex.args(...of).filter((arg) => !arg.includes("hook-trust")),
    };
    await agentFolder(codex);
    await using place = await shop();
    const { home } = place;
    await using models = await serveModelApis([]);
    const { url } = models;
    prepareAgent(home, codex, url);
    await install(home, "codex");
    const prompt = "What do amounts in src/price.ts stand for, cents?";
    await runAgent(home, untrusted, { prompt, url });
    assert.doesNotMatch(models.received.map(({ body }) => body).join(), /auto-loaded-memory/);
    const { stdout } = await runMemo(home, ["doctor", "--offline", "--json"]);
    const checks: { name: string; detail: string; fix: string }[] = JSON.parse(stdout);
    const { detail, fix } = checks.find(({ name }) => name === "agents")!;
    assert.match(`${detail}: ${fix}`, /Codex CLI does not run memo's hooks[^]*\/hooks/);

    await runAgent(home, codex, { prompt, url });
    const options = { prompt, url, session: "resume", id: lastSession(home) } as const;
    await runAgent(home, codex, options);
    const given = () => {
      const { body } = models.received.at(-1)!;
      return [TITLES, /Divide only where they are shown/g].map((text) => body.match(text)?.length);
    };
    assert.deepEqual(given(), [1, 1]);
    const count = models.received.length;
    await runAgent(home, codex, { ...options, args: ["-c", "model_auto_compact_token_limit=1"] });
    assert.ok(models.received.length >= count + 2, "it was asked for a summary first");
    assert.deepEqual(given(), [1, 1]);
  },
});
