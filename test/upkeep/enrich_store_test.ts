import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../../src/core/engine/engine.ts";
import { enrichAtStart } from "../../src/features/upkeep/enrich.ts";
import { memoryFolders, placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { makeHome } from "../support/home.ts";
import { serveMessagesApi } from "../support/messages_api.ts";

Deno.test("what was typed gets triggers at the start of a session, once, and a failure is not repeated at once", async () => {
  let isDown = true;
  await using api = await serveMessagesApi(() => {
    if (isDown) return [{ type: "text", text: "I would rather not" }];
    const notes = [{ number: 1, prompts: ["how do I log in to the backend"] }];
    return [{ type: "tool_use", name: "answer", input: { notes } }];
  });
  await using home = makeHome({
    ANTHROPIC_API_KEY: "sk-ant-test",
    ANTHROPIC_BASE_URL: api.url,
    MEMO_LLM_PROVIDER: "anthropic",
  });
  const { env } = home, paths = pathsFor(env);
  const place = placeIn(paths, home.project);
  const folder = memoryFolders(place)[0]!;
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(join(folder.path, "project_jwt.md"), "JWT setup for the API\n");
  const log = () => {};
  const engine = new Engine({ paths, env, log, background: false });
  for (const each of memoryFolders(place)) await engine.sync(each);
  const { signal } = new AbortController();
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute));
  const start = (minute: number) =>
    enrichAtStart({ engine, place, env, log, now: at(minute), signal, after: "SessionStart" });

  await assert.rejects(start(0));
  const asked = api.requests.length;
  isDown = false;
  await start(10);
  assert.equal(api.requests.length, asked);
  await Promise.all([start(70), start(70)]);
  assert.equal(api.requests.length, asked + 1);
  await start(80);
  assert.equal(api.requests.length, asked + 1);

  const triggers = await engine.withIndex(async (index) => {
    const [memory] = await (await index.corpus([folder])).newest(1);
    return memory!.triggers;
  });
  assert.deepEqual(triggers, ["how do I log in to the backend"]);
  await engine.close();
});
