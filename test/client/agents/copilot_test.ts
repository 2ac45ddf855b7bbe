import assert from "node:assert/strict";
import { agentFolder, PROGRAMS, runAgent } from "../../support/agents.ts";
import { succeed } from "../../support/home.ts";
import { serveModelApis } from "../../support/model_apis.ts";
import { ONLY, shop, showAgent, TITLES } from "./conversation.ts";

showAgent("copilot");

Deno.test({
  name: "Copilot CLI: the hooks of a repository for Claude Code reach it",
  ...ONLY,
  async fn() {
    const copilot = PROGRAMS["copilot"]!;
    await agentFolder(copilot);
    await using place = await shop();
    const { home } = place;
    await using models = await serveModelApis([]);
    const { url } = models;
    await succeed(home, ["init", "--scope", "project"]);
    const prompt = "What do amounts in src/price.ts stand for, cents?";
    await runAgent(home, copilot, { prompt, url, args: ["--trust-folder"] });
    const { body } = models.received.findLast((request) => request.body.includes(prompt))!;
    assert.equal(body.match(TITLES)?.length, 1);
    assert.match(body, /Divide only where they are shown/);
  },
});
