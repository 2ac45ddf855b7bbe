// Most tests run commands from the sources, in a process that others have run in before (`test/support/commands.ts`).
// Here the executable does the same.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOGETHER } from "../support/commands.ts";
import { filesIn } from "../support/files.ts";
import { type Home, makeHome, MEMO, runMemo } from "../support/home.ts";
import type { Finished } from "../support/run.ts";
import { lasting } from "../support/snapshots.ts";

/** A command line of each, in an order in which each finds something to do. */
const LINES: readonly (readonly string[])[] = [
  ["import", "markdown", "notes.md", "--yes"],
  ["add", "Never force-push to main", "--name", "Pushing"],
  ["index"],
  ["list"],
  ["show", "Pushing"],
  ["search", "push to main"],
  ["recall", "may I force-push to main?"],
  ["guard", "add", "Pushing", "git push --force"],
  ["trust"],
  ["share", "Pushing"],
  ["log"],
  ["stats"],
  ["dream"],
  ["export", "../out"],
  ["sync"],
  ["team"],
  ["config", "set", "recall.min_chars=12"],
  ["forget", "Pushing"],
  ["undo"],
  ["sync", "init", "--help"],
];

Deno.test("the executable does with each command what the sources do", async () => {
  assert.deepEqual([...new Set(LINES.map(([name]) => name!))].sort(), [...TOGETHER].sort());
  await using home = seededHome();
  await using other = seededHome();
  for (const args of LINES) {
    const compiled = await runMemo(home, args, { executable: MEMO });
    assert.deepEqual(shown(await runMemo(other, args), other), shown(compiled, home), args[0]!);
  }
  const [files, same] = [home, other].map((one) =>
    lasting(Object.keys(filesIn(one.claude)).join("\n"), one)
  );
  assert.equal(same, files);
});

function seededHome(): Home {
  const home = makeHome({ TZ: "UTC" });
  writeFileSync(join(home.project, "notes.md"), "# Staging\n\nThe staging host is pegasus.\n");
  return home;
}

/** How a command ended and what it printed, without what is of this home and moment. */
function shown({ code, stdout, stderr }: Finished, home: Home) {
  const [printed, said] = [stdout, stderr].map((text) =>
    lasting(text, home).replaceAll(/\b[0-9a-f]{10}\b/g, "CHANGE")
  );
  return { code, printed, said };
}
