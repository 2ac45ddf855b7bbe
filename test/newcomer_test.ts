// The tasks that AGENTS.md describes, done in a copy of the project as a newcomer would do them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endDaemons } from "./support/home.ts";
import { scratchTree } from "./support/scratch_tree.ts";

const PATH_AFFINITY = readFileSync(
  new URL("strategies/path_affinity.ts", import.meta.url),
  "utf8",
).replace('"../../strategies/strategy.ts"', '"./strategy.ts"');

Deno.test("a strategy is one file and one line", () => {
  using tree = scratchTree();
  tree.write("strategies/path_affinity.ts", PATH_AFFINITY);
  tree.edit(
    "strategies/mod.ts",
    'import { recency } from "./recency.ts";\n',
    'import { pathAffinity } from "./path_affinity.ts";\nimport { recency } from "./recency.ts";\n',
  );
  tree.edit("strategies/mod.ts", "  recency,\n]", "  recency,\n  pathAffinity,\n]");
  tree.edit("test/strategies/contract_test.ts", "[...ROWS, pathAffinity]", "ROWS");
  tree.edit(
    "test/strategies/contract_test.ts",
    'import { pathAffinity } from "./path_affinity.ts";\n',
    "",
  );

  const check = tree.deno("check", "strategies/mod.ts", "test/strategies/contract_test.ts");
  assert.equal(check.code, 0, check.output);
  const contract = tree.deno("test", "-A", "--no-check", "test/strategies/contract_test.ts");
  assert.equal(contract.code, 0, contract.output);
  assert.match(contract.output, /path_affinity returns at most/);
  const listed = tree.deno("run", "-A", "src/main.ts", "strategies");
  assert.match(listed.output, /path_affinity +.*preview/s);
});

Deno.test("a strategy that calls itself stable without a row in the results is told so", () => {
  using tree = scratchTree();
  tree.edit("strategies/sidequery.ts", 'status: "preview"', 'status: "stable"');
  const { code, output } = tree.deno(
    "test",
    "-A",
    "--no-check",
    "--filter=stable",
    "test/strategies/contract_test.ts",
  );
  assert.notEqual(code, 0);
  assert.match(output, /sidequery has no row/);
});

Deno.test("a setting is one entry, and the documents follow", () => {
  using tree = scratchTree();
  tree.edit(
    "src/settings/table.ts",
    "export const SETTINGS = [\n",
    `export const SETTINGS = [
  {
    key: "recall.loudness",
    kind: "integer",
    default: 3,
    min: 1,
    max: 5,
    summary: "How loud memo is",
    project: false,
  },
`,
  );
  const check = tree.deno("check", "src/settings/config.ts");
  assert.equal(check.code, 0, check.output);
  const listed = tree.deno("run", "-A", "src/main.ts", "config", "get", "recall.loudness");
  assert.match(listed.output, /\b3\b/);
  const stale = tree.deno("test", "-A", "--no-check", "test/docs_test.ts");
  assert.notEqual(stale.code, 0);
  assert.match(stale.output, /else: deno task docs/);
  assert.equal(tree.deno("run", "-A", "tools/docs.ts").code, 0);
  const fresh = tree.deno("test", "-A", "--no-check", "test/docs_test.ts");
  assert.equal(fresh.code, 0, fresh.output);
});

Deno.test("a hook event is a row, its stdin and its handler, and the compiler asks for each", async () => {
  using tree = scratchTree();
  const check = () => tree.deno("check", "src/events/mod.ts", "hooks/client.ts");
  const end = "\n] as const satisfies readonly HookEventRow[];";
  const row = (more: string) =>
    `\n  { name: "Notification", purpose: "hearing", ${more}since: "1.0.38", transport: "any" },${end}`;
  tree.edit("hooks/events.ts", end, row(""));
  assert.match(check().output, /'deadlineMs' is missing/);
  tree.edit("hooks/events.ts", row(""), row("deadlineMs: 4000, takesContext: true, "));
  const { output } = check();
  for (const missing of [/hooks\/wire\.ts/, /src\/events\/event\.ts/, /src\/events\/mod\.ts/]) {
    assert.match(output, missing);
  }
  tree.edit(
    "hooks/wire.ts",
    "export interface HookInputs {\n",
    `export interface NotificationInput extends HookInputBase {
  readonly hook_event_name: "Notification";
  readonly message: string;
}

export interface HookInputs {
  readonly Notification: NotificationInput;
`,
  );
  tree.edit(
    "src/events/event.ts",
    "const DETAILS = {\n",
    "const DETAILS = {\n  Notification: ({ message }) => ({ message: textOf(message) }),\n",
  );
  tree.write(
    "src/events/notification.ts",
    `import { additionalContext, type EventHandler } from "./event.ts";

export const notification: EventHandler<"Notification"> = ({ message }) =>
  Promise.resolve(additionalContext("Notification", \`heard: \${message}\`));
`,
  );
  tree.edit(
    "src/events/mod.ts",
    "  SessionStart: sessionStart,\n",
    "  Notification: notification,\n  SessionStart: sessionStart,\n",
  );
  tree.edit(
    "src/events/mod.ts",
    "import { postToolUse }",
    'import { notification } from "./notification.ts";\nimport { postToolUse }',
  );
  const whole = check();
  assert.equal(whole.code, 0, whole.output);

  try {
    tree.deno("run", "-A", "src/main.ts", "daemon", "start");
    const stdin = JSON.stringify({ hook_event_name: "Notification", message: "tea" });
    // While the daemon loads its model, a hook without an answer of its own gets none.
    let output = "{}\n";
    for (let tries = 0; tries < 20 && output === "{}\n"; tries++) {
      output = tree.pipe(stdin, "run", "-A", "src/main.ts", "hook").output;
    }
    assert.match(output, /"hookEventName":"Notification","additionalContext":"heard: tea"/);
  } finally {
    await endDaemons(join(tree.path, "home"));
  }
  // Not `memo install`, which refuses to name a Deno that lies in a cache of npx.
  const groups = 'import { hookGroups } from "./src/install/entries.ts";' +
    'console.log(Object.keys(hookGroups({ command: "memo", args: [] }, { client: "3.0.0" })));';
  assert.match(tree.deno("eval", groups).output, /"Notification"/);
});

Deno.test("a tool is its name and a file, and nothing lets it write unasked", () => {
  using tree = scratchTree();
  const file = "src/mcp/tools/count.ts";
  tree.write(
    file,
    `import * as z from "zod";
import { defineTool } from "../tool.ts";

/** \`memory_count\`: the number of memories of a type. */
export const count = defineTool({
  name: "memory_count",
  title: "Count memories",
  description: "Counts the memories of a type.",
  input: z.object({ type: z.string() }),
  writes: true,
  async run({ type }, { folders, withIndex, change }) {
    const memories = await withIndex(async (index) =>
      await (await index.corpus(folders)).newest(1000)
    );
    const count = memories.filter((memory) => memory.type === type).length;
    return \`\${count} memories are of this type\`;
  },
});
`,
  );
  const check = () => tree.deno("check", "src/mcp/tools.ts", file).output;
  assert.match(check(), /memory_count.*is not assignable/, "its name is in no table");
  tree.edit(
    "src/link/tools.ts",
    "const WRITES = {\n",
    "const WRITES = {\n  memory_count: false,\n",
  );
  const output = check();
  assert.match(output, /'memory_count' is missing/, "clients do not get it");
  assert.match(output, /'true' is not assignable to type 'false'/, "it writes, its name says not");
  assert.match(output, /'change' does not exist/, "and a tool that reads cannot write");
  tree.edit(file, "writes: true", "writes: false");
  tree.edit(file, ", change }", " }");
  tree.edit("src/mcp/tools.ts", "  memory_save:", "  memory_count: count,\n  memory_save:");
  tree.edit(
    "src/mcp/tools.ts",
    "import { expand }",
    'import { count } from "./tools/count.ts";\nimport { expand }',
  );
  assert.doesNotMatch(check(), /error/i);

  const test = (...args: string[]) => tree.deno("test", "-A", "--no-check", ...args);
  const contract = () => test("--filter=memory_count", "test/mcp/contract_test.ts");
  assert.match(contract().output, /memory_count has no example/);
  tree.edit(
    "test/mcp/contract_test.ts",
    "  memory_save: {",
    '  memory_count: { call: { type: "feedback" }, gives: /^1 / },\n  memory_save: {',
  );
  const whole = contract();
  assert.equal(whole.code, 0, whole.output);
  assert.match(whole.output, /memory_count is allowed everywhere/);
  assert.notEqual(test("test/docs_test.ts").code, 0);
  assert.equal(tree.deno("run", "-A", "tools/docs.ts").code, 0);
  const fresh = test("test/docs_test.ts");
  assert.equal(fresh.code, 0, fresh.output);
});

Deno.test("a source of memories to import is a file and a line, with a store to try it on", () => {
  using tree = scratchTree();
  tree.write(
    "src/import/sticky.ts",
    `import { join } from "node:path";
import { readText } from "./read_text.ts";
import { contentOf, type ImportSource, shortId } from "./record.ts";

/** A file with a note a line. */
export const sticky: ImportSource = {
  name: "sticky",
  summary: "Sticky notes, one a line",
  where: "\`~/sticky.txt\`",
  places: ({ home }) => [join(home, "sticky.txt")],
  read(path) {
    const lines = readText(path).split("\\n").filter((line) => line.trim() !== "");
    const records = lines.map((line) => ({
      id: shortId(line),
      scope: "user" as const,
      content: contentOf(line),
    }));
    return { records, skipped: [] };
  },
};
`,
  );
  tree.edit("src/import/sources.ts", "  mem0,\n", "  mem0,\n  sticky,\n");
  tree.edit(
    "src/import/sources.ts",
    'import { memsearch } from "./memsearch.ts";\n',
    'import { memsearch } from "./memsearch.ts";\nimport { sticky } from "./sticky.ts";\n',
  );
  const check = () => tree.deno("check", "src/import/sources.ts").output;
  assert.match(check(), /'gives' is missing/);
  tree.edit("src/import/sticky.ts", "  places:", '  gives: "each line",\n  places:');
  assert.doesNotMatch(check(), /error/i);

  const test = (...args: string[]) => tree.deno("test", "-A", "--no-check", ...args);
  assert.match(test("test/import/sources_test.ts").output, /\+.*['"]sticky['"]/, "it has no store");
  tree.write("test/fixtures/import/sticky.txt", "Use pnpm, never npm\n\nDeploy on Fridays\n");
  tree.edit(
    "test/import/sources_test.ts",
    "}[] = [\n",
    `}[] = [
  {
    source: "sticky",
    lay: () => fixture("sticky.txt"),
    memories: ["user project  Use pnpm, never npm", "user project  Deploy on Fridays"],
  },
`,
  );
  tree.edit(
    "test/import/sources_test.ts",
    'name !== "basic-memory"',
    '!["basic-memory", "sticky"].includes(name)',
  );
  const contract = test("test/import");
  assert.equal(contract.code, 0, contract.output);
  assert.match(contract.output, /memo import sticky takes the whole store over/);
  assert.match(tree.deno("run", "-A", "src/main.ts", "import", "stick").output, /`sticky`/);
  assert.equal(tree.deno("run", "-A", "tools/docs.ts").code, 0);
  assert.match(tree.read("docs/import.md"), /^\| `sticky` .* each line +\|$/m);
});

Deno.test("another agent is its hooks and its settings, and the compiler asks for both", () => {
  using tree = scratchTree();
  tree.write(
    "hooks/agents/reed.ts",
    `import type { HookInput } from "../wire.ts";
import type { AgentWire } from "./agent.ts";

export const reed: AgentWire = {
  toInput: (event) => ({ ...event, hook_event_name: event["kind"] }) as unknown as HookInput,
  toOutput: (output, { kind }) => ({ kind, output }),
};
`,
  );
  tree.edit("hooks/agents/mod.ts", ", opencode }", ", opencode, reed }");
  tree.edit(
    "hooks/agents/mod.ts",
    'import { opencode } from "./opencode.ts";\n',
    'import { opencode } from "./opencode.ts";\nimport { reed } from "./reed.ts";\n',
  );
  const check = () => tree.deno("check", "src/install/agents/mod.ts").output;
  assert.match(check(), /'reed' is missing/, "it cannot be installed");
  const row = (name: string) =>
    `import { join } from "node:path";
import { type Agent, hookArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const reed: Agent<"${name}"> = {
  name: "${name}",
  label: "Reed",
  gives: "memories at each prompt",
  files: ({ paths }, self) => [
    hookFile(join(paths.home, ".reed.json"), [
      { path: ["hooks"], value: [self.command, ...hookArgs(self, "${name}")], isItem: true },
    ]),
  ],
};
`;
  tree.edit("src/install/agents/mod.ts", "opencode };", "opencode, reed };");
  tree.edit(
    "src/install/agents/mod.ts",
    'import { opencode } from "./opencode.ts";\n',
    'import { opencode } from "./opencode.ts";\nimport { reed } from "./reed.ts";\n',
  );
  tree.write("src/install/agents/reed.ts", row("read"));
  assert.match(check(), /'"read"' does not satisfy/, "it has no hooks");
  tree.write("src/install/agents/reed.ts", row("reed"));
  assert.doesNotMatch(check(), /error/i);

  const stdin = JSON.stringify({ kind: "Stop", session_id: "s1" });
  const { output } = tree.pipe(stdin, "run", "-A", "src/main.ts", "hook", "--agent", "reed");
  assert.match(output, /^\{"kind":"Stop","output":\{/);
  const unknown = tree.deno("run", "-A", "src/main.ts", "install", "--agent", "ree");
  assert.match(unknown.output, /opencode.*reed/);
  assert.equal(tree.deno("run", "-A", "tools/docs.ts").code, 0);
  assert.match(tree.read("docs/agents.md"), /^\| Reed .* not run +\|$/m);
});

Deno.test("an upkeep job is a function and a row, and runs where its setting is on", () => {
  using tree = scratchTree();
  tree.write(
    "src/engine/count_memories.ts",
    `import { memoryFolders } from "../memory/scopes.ts";
import type { UpkeepContext } from "./upkeep.ts";

/** Logs in how many folders a place has memories. */
export function countMemories({ place, log }: UpkeepContext): void {
  log("count", { folders: memoryFolders(place).length });
}
`,
  );
  tree.edit(
    "src/engine/upkeep.ts",
    "import { dreamStore } from",
    'import { countMemories } from "./count_memories.ts";\nimport { dreamStore } from',
  );
  tree.edit(
    "src/engine/upkeep.ts",
    "export const UPKEEP: readonly UpkeepJob[] = [\n",
    `export const UPKEEP: readonly UpkeepJob[] = [
  { name: "count", setting: "recall.loud", run: countMemories },
`,
  );
  const check = () => tree.deno("check", "src/engine/upkeep.ts");
  assert.match(check().output, /recall\.loud/, "a setting that does not exist");
  tree.edit("src/engine/upkeep.ts", '"recall.loud"', '"sync.auto"');
  const whole = check();
  assert.equal(whole.code, 0, whole.output);
  const script = `
    import { Engine } from "./src/engine/engine.ts";
    import { runUpkeep, UPKEEP } from "./src/engine/upkeep.ts";
    import { placeIn } from "./src/memory/scopes.ts";
    import { pathsFor } from "./src/paths.ts";
    const log = (event, details) => console.log(event, JSON.stringify(details));
    const signal = new AbortController().signal;
    for (const MEMO_SYNC_AUTO of ["true", "false"]) {
      const env = { HOME: Deno.cwd() + "/home", MEMO_SYNC_AUTO }, paths = pathsFor(env);
      const engine = new Engine({ paths, env, log, background: false });
      const context = { engine, place: placeIn(paths, Deno.cwd()), env, log, now: new Date(), signal };
      await runUpkeep(context, UPKEEP.slice(0, 1));
      await engine.close();
    }`;
  const { output } = tree.deno("eval", script);
  assert.deepEqual(output.match(/^count .*$/gm)?.length, 1, output);
});
