import assert from "node:assert/strict";
import { pathsFor } from "../../src/paths.ts";
import { forPage } from "../../src/surfaces/ui/serve.ts";

const env = { HOME: "/home/kim", CLAUDE_CONFIG_DIR: "/home/kim/.claude" };
const context = { env, paths: pathsFor(env, "linux") };

Deno.test("a message keeps the names of memories, and of other paths the last part alone", () => {
  const cases = [
    ["Cannot write `/home/kim/.claude/memory/kiln.md`", "Cannot write `~/.claude/memory/kiln.md`"],
    [
      "Cannot open `/home/kim/.local/share/memo/index.db`: it is busy",
      "Cannot open `index.db`: it is busy",
    ],
    [
      "ENOENT: no such file or directory, open '/srv/secret/plan.txt'",
      "ENOENT: no such file or directory, open 'plan.txt'",
    ],
    ["at run (/opt/memo/src/ui/serve.ts:12:3)", "at run (serve.ts:12:3)"],
    ["Cannot use C:\\Users\\kim\\memo here", "Cannot use memo here"],
    [
      "Edit it with `memo edit kiln`, and/or `memo undo`",
      "Edit it with `memo edit kiln`, and/or `memo undo`",
    ],
    ["/", "/"],
  ] as const;
  for (const [message, told] of cases) assert.equal(forPage(message, context), told);
});
