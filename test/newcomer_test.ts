// The tasks that AGENTS.md describes, done in a copy of the project as a newcomer would do them. All are done in one copy:
// what takes long is to check the types, and a check says of each kind what is missing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endDaemons } from "./support/home.ts";
import { type Ended, type ScratchTree, scratchTree } from "./support/scratch_tree.ts";

/** Something that a newcomer adds; `fixtures/newcomer/KIND.txt` has what it takes, round by round. */
interface Kind {
  /** What AGENTS.md says of it, as a sentence. */
  readonly name: string;
  /** The files that are checked, with all that they import. */
  readonly roots: readonly string[];
  /** What the compiler says while something is forgotten: after the first round, and the second. */
  readonly asks?: readonly (readonly RegExp[])[];
  /** What `deno task docs` then writes, and into which document. */
  readonly documented?: readonly [document: string, line: RegExp];
  /** That it does what it is for. */
  readonly works: (tree: ScratchTree) => unknown;
}

const test = (tree: ScratchTree, ...args: string[]) =>
  tree.deno("test", "-A", "--no-check", ...args);
const memo = (tree: ScratchTree, ...args: string[]) =>
  tree.deno("run", "-A", "src/main.ts", ...args);
const here = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** Writes and edits what a round of a kind says. */
function add(tree: ScratchTree, kind: string, round: number | "complete" | "example"): void {
  for (const part of here(`fixtures/newcomer/${kind}.txt`).split(/^@@ /m).slice(1)) {
    const [, when, how, file, text] = /^(\w+) (write|edit) (\S+)\n([^]*)\n$/.exec(part)!;
    if (when !== String(round)) continue;
    const [from, to] = `${text}\n`.split("\n== to\n") as [string, string];
    if (how === "write") tree.write(file!, `${text}\n`);
    else tree.edit(file!, from, to.replace(/\n$/, ""));
  }
}

const PATH_AFFINITY = here("strategies/path_affinity.ts")
  .replace('"../../strategies/strategy.ts"', '"./strategy.ts"');

const KINDS: Readonly<Record<string, Kind>> = {
  strategy: {
    name: "a strategy is one file and one line",
    roots: ["strategies/mod.ts", "test/strategies/contract_test.ts"],
    works(tree) {
      const contract = test(tree, "test/strategies/contract_test.ts");
      assert.equal(contract.code, 0, contract.output);
      assert.match(contract.output, /path_affinity returns at most/);
      assert.match(memo(tree, "config", "strategies").output, /path_affinity +.*preview/s);
    },
  },
  setting: {
    name: "a setting is one entry, and the documents follow",
    roots: ["src/core/settings/config.ts"],
    documented: ["docs/settings.md", /^\| `recall\.loudness` .* How loud memo is .*\|$/m],
    works: (tree) => assert.match(memo(tree, "config", "get", "recall.loudness").output, /\b3\b/),
  },
  event: {
    name: "a hook event is a row, its stdin and its handler, and the compiler asks for each",
    roots: ["src/core/events/mod.ts", "hooks/client.ts"],
    asks: [
      [/'deadlineMs' is missing/],
      [/hooks\/wire\.ts/, /src\/core\/events\/event\.ts/, /src\/core\/events\/mod\.ts/],
    ],
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
  },
  tool: {
    name: "a tool is its name, a row and a function, and nothing lets it write unasked",
    roots: ["src/surfaces/mcp/run.ts", "src/surfaces/mcp/run/count.ts"],
    asks: [
      [/'"memory_count"' does not satisfy/], // its name is in no table
      [
        /'memory_count' is missing/, // clients do not get it
        /missing the following properties from type 'WritingContext'/, // one that reads cannot write
      ],
    ],
    documented: ["docs/session.md", /^\| `memory_count` .*\|$/m],
    works(tree) {
      const contract = () => test(tree, "--filter=memory_count", "test/mcp/contract_test.ts");
      assert.match(contract().output, /memory_count has no example/);
      add(tree, "tool", "example");
      const whole = contract();
      assert.equal(whole.code, 0, whole.output);
      assert.match(whole.output, /memory_count is allowed everywhere/);
    },
  },
  source: {
    name: "a source of memories to import is a file and a line, with a store to try it on",
    roots: ["src/features/import/sources.ts"],
    asks: [[/'gives' is missing/]],
    documented: ["docs/sharing.md", /^\| `sticky` .* each line +\|$/m],
    works(tree) {
      const lacking = test(tree, "test/import/sources_test.ts");
      assert.match(lacking.output, /\+.*['"]sticky['"]/, "it has no store");
      add(tree, "source", "example");
      // The files whose tests go through the table.
      const contract = test(tree, "test/import/sources_test.ts", "test/import/plan_test.ts");
      assert.equal(contract.code, 0, contract.output);
      assert.match(contract.output, /memo import sticky takes the whole store over/);
      assert.match(memo(tree, "import", "stick").output, /`sticky`/);
    },
  },
  agent: {
    name: "another agent is its hooks and a row of its files, and the compiler asks for that",
    roots: ["src/features/install/agents/mod.ts"],
    asks: [[/'reed' is missing/]], // it cannot be installed
    documented: ["docs/agents.md", /^\| Reed, .* not run +\|$/m],
    works(tree) {
      const stdin = JSON.stringify({ kind: "Stop", session_id: "s1" });
      const { output } = tree.pipe(stdin, "run", "-A", "src/main.ts", "hook", "--agent", "reed");
      assert.match(output, /^\{"kind":"Stop","output":\{/);
      assert.match(memo(tree, "init", "--agent", "ree").output, /reed.*opencode/);
    },
  },
  job: {
    name: "a job is a function and a row, and runs where its setting is on",
    roots: ["src/features.ts"],
    asks: [[/recall\.loud/]], // a setting that does not exist
    works(tree) {
      const { output } = tree.deno("eval", here("fixtures/newcomer/run_job.ts.txt"));
      assert.deepEqual(output.match(/^count .*$/gm)?.length, 1, output);
    },
  },
};

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
  const kinds = Object.entries(KINDS);
  const forgetting = [0, 1].map((round) => {
    const rows = kinds.filter(([, { asks = [] }]) => asks.length > round);
    for (const [kind] of rows) add(tree, kind, round);
    return tree.deno("check", ...rows.flatMap(([, { roots }]) => roots));
  });
  tree.write("strategies/path_affinity.ts", PATH_AFFINITY);
  for (const [kind] of kinds) add(tree, kind, "complete");
  const complete = tree.deno("check", ...kinds.flatMap(([, { roots }]) => roots));
  done = { tree, forgetting, complete };
});

Deno.test.afterAll(async () => await done?.tree[Symbol.asyncDispose]());

for (const { name, asks = [], works } of Object.values(KINDS)) {
  Deno.test(name, async () => {
    for (const [round, lines] of asks.entries()) {
      for (const what of lines) assert.match(done.forgetting[round]!.output, what);
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
  const documented = Object.values(KINDS).flatMap(({ documented }) =>
    documented ? [documented] : []
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
