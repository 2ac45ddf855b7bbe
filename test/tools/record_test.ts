import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeHome } from "../support/home.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

Deno.test("the picture at the top of README.md is what memo prints", async () => {
  await using home = makeHome({}, { hasModel: true });
  const drawn = join(home.root, "session.svg");
  execFileSync(Deno.execPath(), ["run", "-A", "--cached-only", "tools/record.ts", drawn], {
    cwd: ROOT,
  });
  assert.ok(linesOf(drawn).length > 20);
  assert.deepEqual(
    linesOf(join(ROOT, "docs/session.svg")),
    linesOf(drawn),
    "`deno task record` draws it again",
  );
});

/** The lines of a picture, whose markup is laid out anew by the formatter. */
function linesOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/>([^<]*)<\/text>/g)].map(([, text]) => text!);
}
