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
import { isUsed } from "../../src/core/events/stop.ts";

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

/** Memory | prompt | reply: whether the reply used the memory. */
const USED = `
Staging runs on \`pegasus.internal:8443\` | Where is staging? | It is at pegasus.internal:8443.
Deploy with \`make ship-prod\`, then wait | deploy it | make ship-prod Deployed.
Amounts are stored as integerCents | add a discount | I added discount to integerCents.
Invoices round half away from zero because of the tax office | fix the totals | The invoices now round half away from zero, as the tax office wants.
`;
const UNUSED = `
Staging runs on \`pegasus.internal:8443\` | Where is staging? | Staging runs well.
Staging is on port 8443 | is 8443 taken? | Port 8443 is taken by nginx.
Tests need port 80 | run it | Listening on 8080.
Use pnpm, never npm | install lodash | Done. pnpm add lodash
Deploy with \`make ship\`, then wait for canary | make ship | make ship Done.
Invoices round half away from zero | hello | I will round up the usual suspects.
Never force-push to main | push it | Pushed to the branch.
`;

for (const [isExpected, cases] of [[true, USED], [false, UNUSED]] as const) {
  for (const line of cases.trim().split("\n")) {
    Deno.test(`a reply uses a memory whose own values or words it has: ${isExpected}, ${line}`, () => {
      const [body, prompt, reply] = line.split(" | ") as [string, string, string];
      assert.equal(isUsed({ name: "", description: "", body }, { prompt, reply }), isExpected);
    });
  }
}
