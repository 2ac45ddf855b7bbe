import assert from "node:assert/strict";
import {
  isPattern,
  matchesCall,
  type Pattern,
  readCall,
} from "../../src/features/guard/pattern.ts";
import { readRows } from "../support/fixtures.ts";

const ROOT = "/home/dev/app";

const matches = (pattern: Pattern, tool: string, input: Record<string, unknown>, cwd = ROOT) =>
  matchesCall(pattern, readCall({ tool, input, cwd })!, ROOT);

Deno.test("a pattern stops a command however it is written, and a change of its files, and nothing beside it", () => {
  for (const [patterns = "", what, line = ""] of readRows("guard/patterns.tsv")) {
    const isEdit = /protects|leaves/.test(what!), isStopped = /stops|protects/.test(what!);
    for (const said of patterns.split(", ")) {
      const pattern = isEdit || said.endsWith("/") ? { path: said } : { command: said };
      const isMatch = isEdit
        ? matches(pattern, "Edit", { file_path: line })
        : matches(pattern, "Bash", { command: line });
      assert.equal(isMatch, isStopped, `${said} ${what} ${line}`);
    }
  }
  assert.ok(matches({ path: "gen/" }, "Bash", { command: "rm a.ts" }, `${ROOT}/gen`));
});

Deno.test("a pattern that would stop everything is none", () => {
  for (const path of ["", "/", "*", "**", ".", "../x", "a\nb"]) {
    assert.ok(!isPattern({ path }), path);
  }
  for (const command of ["", "*", "a\nb", "-f"]) assert.ok(!isPattern({ command }), command);
  assert.ok(!isPattern({}) && !isPattern(null) && !isPattern({ command: "npm", path: "x" }));
  assert.ok(isPattern({ command: "git push --force" }) && isPattern({ path: "gen/" }));
});

Deno.test("readCall() takes the files that an MCP server's tool changes by its arguments", () => {
  const calls: readonly [tool: string, input: Record<string, unknown>, ...files: string[]][] = [
    ["fs__write_file", { path: "gen/a.ts", content: "src/b.ts" }, "gen/a.ts"],
    ["serena__replace_symbol_body", { relative_path: "gen/a.ts", body: "x" }, "gen/a.ts"],
    ["ide__createTextFile", { filePath: `file://${ROOT}/gen/a.ts` }, "gen/a.ts"],
    ["fs__move_file", { source: "gen/a", destination: "b" }, "gen/a", "b"],
    ["fs__copy_file", { source: "gen/a", destination: "b" }, "b"],
    ["gh__push_files", { owner: "o", files: [{ path: "gen/a", content: "c" }] }, "gen/a"],
    ["fs__read_file", { path: "gen/a.ts" }],
    ["crm__update_profile", { profile: "gen/a" }],
    ["db__delete_row", { table: "gen" }],
  ];
  for (const [tool, input, ...files] of calls) {
    const read = readCall({ tool: `mcp__${tool}`, input, cwd: ROOT })?.files ?? [];
    assert.deepEqual(read.map((file) => file.replace(`${ROOT}/`, "")), files, tool);
  }
});
