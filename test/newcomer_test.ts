// The tasks that AGENTS.md describes, done in a copy of the project as a newcomer would do them. All are done in one copy:
// what takes long is to check the types, and a check says of each kind what is missing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endDaemons } from "./support/home.ts";
import { type Ended, type ScratchTree, scratchTree } from "./support/scratch_tree.ts";

/** Something that a newcomer adds. */
interface Kind {
  /** What AGENTS.md says of it, as a sentence. */
  readonly name: string;
  /** The files that are checked, with all that they import. */
  readonly roots: readonly string[];
  /** What is forgotten at first, and what the compiler then says of it. */
  readonly forgetting: readonly {
    readonly write: (tree: ScratchTree) => void;
    readonly asks: readonly RegExp[];
  }[];
  /** Writes what is left, after which the compiler has nothing to say. */
  readonly complete: (tree: ScratchTree) => void;
  /** What `deno task docs` then writes, and into which document. */
  readonly documented?: readonly [document: string, line: RegExp];
  /** That it does what it is for. */
  readonly works: (tree: ScratchTree) => unknown;
}

const test = (tree: ScratchTree, ...args: string[]) =>
  tree.deno("test", "-A", "--no-check", ...args);
const memo = (tree: ScratchTree, ...args: string[]) =>
  tree.deno("run", "-A", "src/main.ts", ...args);

const PATH_AFFINITY = readFileSync(
  new URL("strategies/path_affinity.ts", import.meta.url),
  "utf8",
).replace('"../../strategies/strategy.ts"', '"./strategy.ts"');

const strategy: Kind = {
  name: "a strategy is one file and one line",
  roots: ["strategies/mod.ts", "test/strategies/contract_test.ts"],
  forgetting: [],
  complete(tree) {
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
  },
  works(tree) {
    const contract = test(tree, "test/strategies/contract_test.ts");
    assert.equal(contract.code, 0, contract.output);
    assert.match(contract.output, /path_affinity returns at most/);
    assert.match(memo(tree, "config", "strategies").output, /path_affinity +.*preview/s);
  },
};

const setting: Kind = {
  name: "a setting is one entry, and the documents follow",
  roots: ["src/core/settings/config.ts"],
  forgetting: [],
  complete: (tree) =>
    tree.edit(
      "src/core/settings/table.ts",
      "export const SETTINGS = [\n",
      `export const SETTINGS = [
  integer("recall.loudness", 3, [1, 5], "How loud memo is"),
`,
    ),
  documented: ["docs/settings.md", /^\| `recall\.loudness` .* How loud memo is .*\|$/m],
  works: (tree) => assert.match(memo(tree, "config", "get", "recall.loudness").output, /\b3\b/),
};

const END_OF_EVENTS = "\n] as const satisfies readonly HookEventRow[];";
const eventRow = (more: string) =>
  `\n  { name: "Notification", purpose: "hearing", ${more}since: "1.0.38" },${END_OF_EVENTS}`;

const event: Kind = {
  name: "a hook event is a row, its stdin and its handler, and the compiler asks for each",
  roots: ["src/core/events/mod.ts", "hooks/client.ts"],
  forgetting: [
    {
      write: (tree) => tree.edit("hooks/events.ts", END_OF_EVENTS, eventRow("")),
      asks: [/'deadlineMs' is missing/],
    },
    {
      write: (tree) =>
        tree.edit(
          "hooks/events.ts",
          eventRow(""),
          eventRow("deadlineMs: 4000, takesContext: true, "),
        ),
      asks: [/hooks\/wire\.ts/, /src\/core\/events\/event\.ts/, /src\/core\/events\/mod\.ts/],
    },
  ],
  complete(tree) {
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
      "src/core/events/event.ts",
      "const DETAILS = {\n",
      "const DETAILS = {\n  Notification: ({ message }) => ({ message: textOf(message) }),\n",
    );
    tree.write(
      "src/core/events/notification.ts",
      `import { additionalContext, type EventHandler } from "./event.ts";

export const notification: EventHandler<"Notification"> = ({ message }) =>
  Promise.resolve(additionalContext("Notification", \`heard: \${message}\`));
`,
    );
    tree.edit(
      "src/core/events/mod.ts",
      "  SessionStart: sessionStart,\n",
      "  Notification: notification,\n  SessionStart: sessionStart,\n",
    );
    tree.edit(
      "src/core/events/mod.ts",
      "import { postToolUse }",
      'import { notification } from "./notification.ts";\nimport { postToolUse }',
    );
  },
  async works(tree) {
    try {
      memo(tree, "daemon", "start");
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
    // Not `memo init`, which refuses to name a Deno that lies in a cache of npx.
    const groups = 'import { hookGroups } from "./src/features/install/entries.ts";' +
      'console.log(Object.keys(hookGroups({ command: "memo", args: [] }, { client: "3.0.0" })));';
    assert.match(tree.deno("eval", groups).output, /"Notification"/);
  },
};

const COUNT = "src/surfaces/mcp/tools/count.ts";

const tool: Kind = {
  name: "a tool is its name and a file, and nothing lets it write unasked",
  roots: ["src/surfaces/mcp/tools.ts", COUNT],
  forgetting: [
    {
      write: (tree) =>
        tree.write(
          COUNT,
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
        ),
      asks: [/memory_count.*is not assignable/], // its name is in no table
    },
    {
      write: (tree) =>
        tree.edit(
          "src/core/link/tools.ts",
          "const WRITES = {\n",
          "const WRITES = {\n  memory_count: false,\n",
        ),
      asks: [
        /'memory_count' is missing/, // clients do not get it
        /'true' is not assignable to type 'false'/, // it writes, its name says not
        /'change' does not exist/, // and a tool that reads cannot write
      ],
    },
  ],
  complete(tree) {
    tree.edit(COUNT, "writes: true", "writes: false");
    tree.edit(COUNT, ", change }", " }");
    tree.edit(
      "src/surfaces/mcp/tools.ts",
      "  memory_save:",
      "  memory_count: count,\n  memory_save:",
    );
    tree.edit(
      "src/surfaces/mcp/tools.ts",
      "import { expand }",
      'import { count } from "./tools/count.ts";\nimport { expand }',
    );
  },
  documented: ["docs/session.md", /^\| `memory_count` .*\|$/m],
  works(tree) {
    const contract = () => test(tree, "--filter=memory_count", "test/mcp/contract_test.ts");
    assert.match(contract().output, /memory_count has no example/);
    tree.edit(
      "test/mcp/contract_test.ts",
      "  memory_save: {",
      '  memory_count: { call: { type: "feedback" }, gives: /^1 / },\n  memory_save: {',
    );
    const whole = contract();
    assert.equal(whole.code, 0, whole.output);
    assert.match(whole.output, /memory_count is allowed everywhere/);
  },
};

const source: Kind = {
  name: "a source of memories to import is a file and a line, with a store to try it on",
  roots: ["src/features/import/sources.ts"],
  forgetting: [{
    write(tree) {
      tree.write(
        "src/features/import/sticky.ts",
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
    const text = path.endsWith(".txt") ? readText(path) : "";
    const lines = text.split("\\n").filter((line) => line.trim() !== "");
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
      tree.edit("src/features/import/sources.ts", "  mem0,\n", "  mem0,\n  sticky,\n");
      tree.edit(
        "src/features/import/sources.ts",
        'import { memsearch } from "./memsearch.ts";\n',
        'import { memsearch } from "./memsearch.ts";\nimport { sticky } from "./sticky.ts";\n',
      );
    },
    asks: [/'gives' is missing/],
  }],
  complete: (tree) =>
    tree.edit("src/features/import/sticky.ts", "  places:", '  gives: "each line",\n  places:'),
  documented: ["docs/import.md", /^\| `sticky` .* each line +\|$/m],
  works(tree) {
    const lacking = test(tree, "test/import/sources_test.ts");
    assert.match(lacking.output, /\+.*['"]sticky['"]/, "it has no store");
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
    // The files whose tests go through the table.
    const contract = test(tree, "test/import/sources_test.ts", "test/import/plan_test.ts");
    assert.equal(contract.code, 0, contract.output);
    assert.match(contract.output, /memo import sticky takes the whole store over/);
    assert.match(memo(tree, "import", "stick").output, /`sticky`/);
  },
};

const reedRow = (name: string) =>
  `import { join } from "node:path";
import { type Agent, hookArgs } from "./agent.ts";
import { hookFile } from "./hook_file.ts";

export const reed: Agent<"${name}"> = {
  name: "${name}",
  label: "Reed",
  gives: ["prompt"],
  files: ({ paths }, self) => [
    hookFile(join(paths.home, ".reed.json"), [
      { path: ["hooks"], value: [self.command, ...hookArgs(self, "${name}")], isItem: true },
    ]),
  ],
};
`;

const agent: Kind = {
  name: "another agent is its hooks and its settings, and the compiler asks for both",
  roots: ["src/features/install/agents/mod.ts"],
  forgetting: [
    {
      write(tree) {
        tree.write(
          "hooks/agents/reed.ts",
          `import type { HookInput } from "../wire.ts";
import type { AgentWire } from "./agent.ts";

export const reed: AgentWire = {
  toInputs: (event) => [{ ...event, hook_event_name: event["kind"] } as unknown as HookInput],
  toOutput: ([output], { kind }) => ({ kind, output }),
};
`,
        );
        tree.edit("hooks/agents/mod.ts", ", cursor }", ", cursor, reed }");
        tree.edit(
          "hooks/agents/mod.ts",
          'import { qwen } from "./qwen.ts";\n',
          'import { qwen } from "./qwen.ts";\nimport { reed } from "./reed.ts";\n',
        );
      },
      asks: [/'reed' is missing/], // it cannot be installed
    },
    {
      write(tree) {
        tree.edit("src/features/install/agents/mod.ts", "  cursor,\n};", "  cursor,\n  reed,\n};");
        tree.edit(
          "src/features/install/agents/mod.ts",
          'import { qwen } from "./qwen.ts";\n',
          'import { qwen } from "./qwen.ts";\nimport { reed } from "./reed.ts";\n',
        );
        tree.write("src/features/install/agents/reed.ts", reedRow("read"));
      },
      asks: [/'"read"' does not satisfy/], // it has no hooks
    },
  ],
  complete: (tree) => tree.write("src/features/install/agents/reed.ts", reedRow("reed")),
  documented: ["docs/agents.md", /^\| Reed, .* not run +\|$/m],
  works(tree) {
    const stdin = JSON.stringify({ kind: "Stop", session_id: "s1" });
    const { output } = tree.pipe(stdin, "run", "-A", "src/main.ts", "hook", "--agent", "reed");
    assert.match(output, /^\{"kind":"Stop","output":\{/);
    assert.match(memo(tree, "init", "--agent", "ree").output, /opencode.*reed/);
  },
};

const job: Kind = {
  name: "a job is a function and a row, and runs where its setting is on",
  roots: ["src/features.ts"],
  forgetting: [{
    write(tree) {
      tree.write(
        "src/features/upkeep/count_memories.ts",
        `import type { JobContext } from "../../core/engine/jobs.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";

/** Logs in how many folders a place has memories. */
export function countMemories({ place, log }: JobContext): void {
  log("count", { folders: memoryFolders(place).length });
}
`,
      );
      tree.edit(
        "src/features.ts",
        "import { dreamStore } from",
        'import { countMemories } from "./features/upkeep/count_memories.ts";\nimport { dreamStore } from',
      );
      tree.edit(
        "src/features.ts",
        "  jobs: [\n",
        `  jobs: [
    { name: "count", after: ["capture"], setting: "recall.loud", run: countMemories },
`,
      );
    },
    asks: [/recall\.loud/], // a setting that does not exist
  }],
  complete: (tree) => tree.edit("src/features.ts", '"recall.loud"', '"briefing.refresh"'),
  works(tree) {
    const script = `
    import { Engine } from "./src/core/engine/engine.ts";
    import { runJobs } from "./src/core/engine/jobs.ts";
    import { FEATURES } from "./src/features.ts";
    import { placeIn } from "./src/core/memory/scopes.ts";
    import { pathsFor } from "./src/paths.ts";
    const log = (event, details) => console.log(event, JSON.stringify(details));
    const signal = new AbortController().signal;
    for (const MEMO_BRIEFING_REFRESH of ["true", "false"]) {
      const env = { HOME: Deno.cwd() + "/home", MEMO_BRIEFING_REFRESH }, paths = pathsFor(env);
      const features = { ...FEATURES, jobs: FEATURES.jobs.slice(0, 1) };
      const engine = new Engine({ paths, env, log, background: false, features });
      const place = placeIn(paths, Deno.cwd()), now = new Date();
      await runJobs({ engine, place, env, log, now, signal, after: "capture" });
      await engine.close();
    }`;
    const { output } = tree.deno("eval", script);
    assert.deepEqual(output.match(/^count .*$/gm)?.length, 1, output);
  },
};

const KINDS: readonly Kind[] = [strategy, setting, event, tool, source, agent, job];

/** The copy with everything in it, and what the compiler has said on the way. */
interface Done {
  readonly tree: ScratchTree;
  /** While the first things were forgotten, and the second. */
  readonly forgetting: readonly Ended[];
  readonly complete: Ended;
}

let done: Done;

Deno.test.beforeAll(() => {
  const tree = scratchTree();
  const roots = (round: number) =>
    KINDS.filter(({ forgetting }) => forgetting.length > round).flatMap(({ roots }) => roots);
  const rounds = Math.max(...KINDS.map(({ forgetting }) => forgetting.length));
  const forgetting = Array.from({ length: rounds }, (_, round) => {
    for (const kind of KINDS) kind.forgetting[round]?.write(tree);
    return tree.deno("check", ...roots(round));
  });
  for (const { complete } of KINDS) complete(tree);
  done = { tree, forgetting, complete: tree.deno("check", ...KINDS.flatMap(({ roots }) => roots)) };
});

Deno.test.afterAll(async () => await done.tree[Symbol.asyncDispose]());

for (const { name, forgetting, works } of KINDS) {
  Deno.test(name, async () => {
    for (const [round, { asks }] of forgetting.entries()) {
      for (const what of asks) assert.match(done.forgetting[round]!.output, what);
    }
    assert.equal(done.complete.code, 0, done.complete.output);
    await works(done.tree);
  });
}

Deno.test("the documents' tables lack what is new until `deno task docs` fills them", () => {
  const { tree } = done;
  const stale = test(tree, "test/docs_test.ts");
  assert.notEqual(stale.code, 0);
  assert.match(stale.output, /else: deno task docs/);
  const documented = KINDS.flatMap(({ documented }) =>
    documented === undefined ? [] : [documented]
  );
  for (const [document, line] of documented) assert.doesNotMatch(tree.read(document), line);
  assert.equal(tree.deno("run", "-A", "tools/docs.ts").code, 0);
  for (const [document, line] of documented) assert.match(tree.read(document), line);
  const fresh = test(tree, "test/docs_test.ts");
  assert.equal(fresh.code, 0, fresh.output);
});

Deno.test("a strategy that calls itself stable without a row in the results is told so", () => {
  const { tree } = done;
  tree.edit("strategies/sidequery.ts", 'status: "preview"', 'status: "stable"');
  const { code, output } = test(tree, "--filter=stable", "test/strategies/contract_test.ts");
  tree.edit("strategies/sidequery.ts", 'status: "stable"', 'status: "preview"');
  assert.notEqual(code, 0);
  assert.match(output, /sidequery has no row/);
});
