import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EventContext, readEvent } from "../../src/core/events/event.ts";
import { handle } from "../../src/core/events/mod.ts";
import { readUsage, usageOf } from "../../src/core/ledger/usage.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { saveSession } from "../../src/core/recall/session.ts";
import { loadConfig } from "../../src/core/settings/config.ts";
import { readFixture } from "../support/fixtures.ts";
import { makeHome } from "../support/home.ts";
import { makeIndex, memoryFile } from "../support/index.ts";

Deno.test("the end of a turn counts the memories of its own blocks that the reply used", async () => {
  await using home = makeHome();
  const memory = (path: string, body: string) => memoryFile({ path, body });
  await using made = await makeIndex([
    memory("/m/used.md", "Staging runs on pegasus.internal"),
    memory("/m/unused.md", "Production runs on kraken.internal"),
    memory("/m/earlier.md", "The wiki is at pegasus.internal/wiki"),
  ]);
  const paths = pathsFor(home.env);
  const stdin = readFixture("Stop") as Record<string, unknown>;
  const session = String(stdin["session_id"]);
  const block = (prompt: unknown, ...given: string[]) => ({
    ...{ block: `b${prompt}`, event: "UserPromptSubmit", prompt: String(prompt), at: 1, bytes: 1 },
    memories: Object.fromEntries(given.map((path) => [path, "x"])),
  });
  saveSession(paths.sessions, session, {
    delivered: [
      block("before", "/m/earlier.md"),
      block(stdin["prompt_id"], "/m/used.md", "/m/unused.md"),
    ],
    begun: 0,
  });
  const transcript = join(home.root, "t.jsonl");
  writeFileSync(transcript, "");
  const work: Promise<unknown>[] = [];
  const context = {
    ...{ paths, projectDir: home.project, pid: undefined, isPlain: true },
    place: placeIn(paths, home.project, home.project),
    config: loadConfig(paths.config, { MEMO_SEND: "capture" }),
    now: () => new Date("2026-11-21T12:00:00Z"),
    withIndex: (use) => use(made.index),
    captureSoon: () => {},
    answers: {},
    defer: (each) => void work.push(Promise.resolve(each(true))),
  } as Partial<EventContext> as EventContext;
  const event = readEvent({
    ...stdin,
    cwd: home.project,
    transcript_path: transcript,
    last_assistant_message: "I deployed it to pegasus.internal.",
  })!;
  assert.deepEqual(await handle(event, context), {});
  await Promise.all(work);
  const usage = readUsage(paths.usage);
  assert.deepEqual(
    ["used", "unused", "earlier"].map((name) => usageOf(usage, `/m/${name}.md`).used),
    [1, 0, 0],
  );
});
