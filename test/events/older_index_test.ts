// Prompts while the index of an older memo is being rebuilt.

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeHome } from "../support/home.ts";
import { readFixture } from "../support/fixtures.ts";
import { makeOlder } from "../support/index.ts";
import { contextFor, type EventHost } from "../../src/core/events/conversation.ts";
import { readEvent } from "../../src/core/events/event.ts";
import { handle } from "../../src/core/events/mod.ts";
import { Index, syncFolder } from "../../src/core/index/mod.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { pathsFor } from "../../src/paths.ts";
import { DeliveryClaims, Prefetches, Tasks } from "../../src/core/recall/pending.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { changeSettingsFile } from "../../src/core/settings/config_file.ts";
import { LiveBranches } from "../../src/core/transcript/live_branch.ts";
import { STRATEGIES } from "../../strategies/mod.ts";

const MANY = 120;

Deno.test("while an older index is rebuilt prompts are answered from it, and a session's start says so", async () => {
  await using home = makeHome();
  for (let i = 0; i < MANY; i++) {
    const [name, port] = [`Service ${i}`, 7000 + i];
    const text = `The kiln${i} service listens on port ${port}.`;
    home.write(`tool_${1000 + i}.md`, `---\nname: ${name}\ntype: tool\n---\n${text}\n`);
  }
  const paths = pathsFor(home.env);
  const folder: MemoryFolder = { scope: "user", path: join(home.claude, "memory") };
  const before = await Index.open(paths.db);
  await syncFolder(before, folder);
  before.close();
  await makeOlder(paths.db);

  const index = await Index.open(paths.db);
  const never = () => new Promise<never>(() => {});
  const later: ((isTaken: boolean) => unknown)[] = [];
  const host: EventHost = {
    ...{ paths, log: () => {}, now: () => new Date(), isPlain: false, isAttended: true },
    configFor: () => loadConfig(paths.config, home.env, { strategies: STRATEGIES }),
    withIndex: (work) => work(index),
    ...{ embed: undefined, redact: (text) => Promise.resolve(text), askFor: () => undefined },
    ...{ prefetches: new Prefetches(), tasks: new Tasks(), told: new DeliveryClaims() },
    ...{ answers: {}, branches: new LiveBranches(), captureSoon: () => {} },
    ...{ sync: never, freshen: never, follow: never, warm: never }, // the rebuild goes on and on
    defer: (work) => void later.push(work),
  };
  const answer = async (fixture: string, fields: object) => {
    const input = { ...readFixture(fixture), cwd: home.project, ...fields };
    const event = readEvent(input)!;
    return await handle(event, contextFor(event, host, { claude: home.claude }));
  };
  const ask = (port: string) =>
    answer("UserPromptSubmit", {
      session_id: port,
      prompt: `which port has the kiln${port} service`,
    });
  const start = async (fields: object = {}) =>
    (await answer("SessionStart.startup", { session_id: "s", ...fields })).systemMessage ?? "";

  const { changed } = await syncFolder(index, folder, { isEnough: () => true });
  assert.ok(changed > 0 && changed < MANY, `${changed}`);
  for (const which of ["0", String(MANY - 1)]) {
    const { hookSpecificOutput } = await ask(which);
    assert.match(JSON.stringify(hookSpecificOutput), new RegExp(`port ${7000 + Number(which)}`));
  }
  assert.match(
    await start(),
    new RegExp(
      `^memo: rebuilding the index after an upgrade \\(${changed} of ${MANY} memories\\); `,
    ),
  );
  assert.equal(await start({ agent_id: "a" }), "", "a subagent's start");
  changeSettingsFile(paths.config, { notify: "off" });
  assert.equal(await start(), "", "where memo tells nothing");
  changeSettingsFile(paths.config, { notify: "saves" });
  await syncFolder(index, folder);
  assert.equal(await start(), "");
  index.close();
});
