// What holds for every tool of `memo mcp`, run over the table with the real index and model.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { permissionFor } from "../../hooks/permission.ts";
import { Engine } from "../../src/core/engine/engine.ts";
import { PERMISSIONS } from "../../src/features/install/parts.ts";
import { toolContext, type WritingContext } from "../../src/surfaces/mcp/methods.ts";
import { newFields } from "../../src/surfaces/mcp/run/change.ts";
import { runTool } from "../../src/surfaces/mcp/run.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools.ts";
import { MemoError } from "../../src/errors.ts";
import { placeIn } from "../../src/core/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { readRows } from "../support/fixtures.ts";
import { type Home, makeHome } from "../support/home.ts";
import { memoryOf } from "../support/memory.ts";
import { filesIn } from "../support/files.ts";

// A call of each tool that finds something, or changes it, in a home with a memory and a day of the journal, and what it
// gives.
const EXAMPLES = new Map(readRows("mcp/examples.tsv").map(([name, ...rest]) => [name, rest]));

const MEMORY = "---\nname: Use pnpm, never npm\ndescription: Package manager\ntype: feedback\n" +
  "tags: [build]\n---\nThe lockfile is pnpm's.\n";

for (const { name, writes, input, annotations } of TOOLS) {
  Deno.test(`${name} refuses what its schema does not allow, with a hint`, async () => {
    const none = {} as WritingContext; // it is not reached
    const wrong = [7, [], ...Object.keys(input.shape).map((key) => ({ [key]: { not: "this" } }))];
    for (const args of wrong) {
      await assert.rejects(runTool(name, args, none), (error) => {
        assert.ok(error instanceof MemoError, String(error));
        assert.match(error.message, new RegExp(`^Cannot call \`${name}\`: `));
        for (const key of Object.keys(input.shape)) assert.ok(error.hint?.includes(`\`${key}\``));
        return true;
      });
    }
  });

  Deno.test(`${name} gives text, and ${writes ? "changes memories" : "changes none"}`, async () => {
    const [call = "", gives = ""] = EXAMPLES.get(name) ?? [];
    assert.ok(call, `${name} has no example in test/fixtures/mcp/examples.tsv`);
    await using home = makeHome();
    home.write("feedback_use-pnpm.md", MEMORY);
    home.keep("journal/2026-03-04.md", "### 10:00\n- Chose port 8080\n");
    const before = filesOf(home);
    await using place = open(home);
    const text = await runTool(name, JSON.parse(call), place.context);
    assert.match(text, new RegExp(gives));
    assert.doesNotMatch(text, /^[[{]/, "text, and no JSON");
    if (writes) assert.notDeepEqual(filesOf(home), before);
    else assert.deepEqual(filesOf(home), before);
  });

  Deno.test(`${name} is allowed ${writes ? "outside subagents, by the hook" : "everywhere, by settings"}`, () => {
    const own = `mcp__memo__${name}`;
    assert.equal(PERMISSIONS.includes(own), !writes);
    const call = { tool_name: own, mcp_server: { source: "user" } };
    const decision = (more: object) =>
      permissionFor({ ...call, ...more })?.hookSpecificOutput !== undefined;
    assert.ok(decision({}));
    assert.equal(decision({ agent_id: "a1" }), !writes, "in a subagent");
    const { readOnlyHint, destructiveHint } = annotations;
    assert.equal(readOnlyHint, !writes);
    assert.ok(writes || !destructiveHint);
  });
}

Deno.test("the plugin speaks of no tool that memo does not have", () => {
  const folder = fileURLToPath(new URL("../../plugin", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"));
  const named = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/memory_[a-z]+/g)].map(([tool]) => tool)
  );
  assert.ok(named.length > 10);
  const tools: readonly string[] = TOOLS.map(({ name }) => name);
  assert.deepEqual(named.filter((name) => !tools.includes(name)), []);
});

// What an update may change.

const TRANSCRIPT = fileURLToPath(
  new URL("../fixtures/transcripts/feature.jsonl", import.meta.url),
);

Deno.test("a memory that is updated in another conversation keeps the one that it was told in", async () => {
  const told = memoryOf({ name: "Use pnpm", body: "Use pnpm.", source: { session: "first" } });
  const session = { id: "second", transcript: TRANSCRIPT };
  const now = () => new Date("2026-11-21T12:00:00Z");
  const { source } = await newFields(told, { triggers: ["add a package"] }, {
    ...{ now, paths: pathsFor({ HOME: "/nobody" }), session },
  });
  assert.equal(source?.transcript, TRANSCRIPT);
  assert.notEqual(source.session, "first");
  assert.deepEqual(source.earlier, ["first"]);
  const { source: unknown } = await newFields(told, { description: "When packages are added" }, {
    ...{ now, paths: pathsFor({ HOME: "/nobody" }), session: undefined },
  });
  assert.deepEqual(unknown, { session: "first" });
});

Deno.test("a text that a tool writes has the dates of the days that it names anew", async () => {
  await using home = makeHome();
  await using place = open(home);
  const now = () => new Date(2026, 11, 2, 12);
  const said = "The demo is tomorrow", context = { ...place.context, now };
  const saved = await runTool("memory_save", { text: said }, context);
  assert.match(saved, /^Saved: “The demo is tomorrow \(2026-12-03\)”/);
  const told = memoryOf({ name: "Demo", body: "The demo is tomorrow.", tags: ["read-web"] });
  const text = "The demo is tomorrow; yesterday it was moved";
  const { body } = await newFields(told, { text }, {
    ...{ now, paths: pathsFor({ HOME: "/nobody" }), session: undefined },
  });
  assert.equal(body, "The demo is tomorrow; yesterday (2026-12-01) it was moved");
});

Deno.test("no tool takes a mark from a memory, nor puts unsaid words into the user's note", async () => {
  const now = () => new Date("2026-11-21T12:00:00Z");
  const context = {
    now,
    paths: pathsFor({ HOME: "/nobody" }),
    session: { id: "second", transcript: TRANSCRIPT },
  };
  const read = memoryOf({ name: "Audit", body: "Done.", tags: ["read-web", "x"] });
  for (const tags of [[], ["y"], ["confirmed"]]) {
    const given = { tags, type: "feedback" };
    const fields = await newFields(read, given, context);
    assert.deepEqual(fields.tags, [...tags.filter((tag) => tag === "y"), "read-web"]);
  }
  const text = "Orion may write to the ledger of every region";
  const own = memoryOf({ name: "Ledger", body: "Ask Ada before Orion gets access." });
  await assert.rejects(newFields(own, { text }, context), /did not say the new text/);
  await assert.rejects(newFields(own, { description: text }, context), /did not say/);
  const { tags, body } = await newFields(read, { text }, context);
  assert.deepEqual([body, tags], [text, ["x", "read-web", "concluded"]]);
  const held = memoryOf({ name: "Held", tags: ["suspect"] });
  await assert.rejects(newFields(held, { tags: [] }, context), /needs the user's review/);
});

/** Tools in a home, with an engine of their own. */
function open(home: Home): { readonly context: WritingContext } & AsyncDisposable {
  const paths = pathsFor(home.env);
  const log = () => {};
  const engine = new Engine({ paths, env: home.env, log, background: false });
  const place = placeIn(paths, home.project);
  return {
    context: toolContext(engine, { place, env: home.env, log, session: undefined }),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

/** The memories of a home, archived ones too, by file. */
function filesOf({ claude, privately }: Home) {
  return [join(claude, "memory"), privately].map(filesIn);
}
