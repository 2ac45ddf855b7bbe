// The tasks that AGENTS.md describes, done in a copy of the project as a newcomer would do them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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

  const check = tree.deno("check", "src/main.ts", "test/strategies");
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
    "src/settings/config.ts",
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
  const check = tree.deno("check", "src/main.ts");
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
