// What commands print, how they end and what they leave: the rows of `test/fixtures/scenes.tsv`, each scene in a home of
// its own. A row is a step, the exit code unless it is 0, and patterns of what is printed: `=` is the whole, `!` is not.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWords } from "../../src/core/text/shell_words.ts";
import { readRows } from "../support/fixtures.ts";
import { type Home, makeHome, runMemo } from "../support/home.ts";

/** What stands for a secret in the table, so that no scanner takes it for a leak. */
const KEY = ["{key}", "ghp_" + "a1B2".repeat(9)] as const;

const scenes = new Map<string, string[][]>();
for (const [step = "", ...cells] of readRows("scenes.tsv")) {
  if (step.startsWith("# ")) scenes.set(step.slice(2), []);
  else [...scenes.values()].at(-1)!.push([step, ...cells]);
}

for (const [scene, rows] of scenes) {
  Deno.test(scene, async () => {
    await using home = makeHome();
    let place = home;
    for (const [step = "", ...cells] of rows) {
      const [wanted, ...patterns] = /^\d+$/.test(cells[0] ?? "") ? cells : ["0", ...cells];
      if (step.startsWith("cd ")) place = { ...home, project: pathOf(step.slice(3), home) };
      const { code, text } = await play(step, place);
      assert.equal(code, Number(wanted), `${step}\n${text}`);
      for (const pattern of patterns) {
        const [, how, source] = /^([=!]?)([^]*)$/.exec(pattern)!;
        const expected = how === "=" ? new RegExp(`^(?:${source})$`) : new RegExp(source!, "m");
        assert.equal(expected.test(text), how !== "!", `${step}\n${pattern}\n${text}`);
      }
    }
  });
}

function pathOf(name: string, { root, privately }: Home): string {
  const path = join(root, name.includes("/") ? name : join(".claude", "memory", name));
  return name === "." ? root : path.replace(join(root, "PRIVATE"), privately);
}

/** Plays one step; what is printed names the home `~`, and the folder of its project's memories `PRIVATE`. */
async function play(step: string, home: Home): Promise<{ code: number | null; text: string }> {
  const [line = "", input = ""] = step.replace(...KEY).split(" <<< ");
  const [verb = "", name = "", target = ""] = shellWords(line);
  const isFolder = ["ls", "mkdir", "cd", "link"].includes(verb) && !name.includes("/");
  const path = isFolder ? join(home.root, name) : pathOf(name, home);
  if (verb === "memo") {
    const { code, stdout, stderr } = await runMemo(home, shellWords(line).slice(1), {
      stdin: input,
    });
    if (code === 2 && !line.includes("--json")) assert.equal(stdout, "", step);
    const text = (stdout + stderr).replaceAll(home.root, "~")
      .replaceAll(home.privately.replace(home.root, "~"), "PRIVATE");
    return { code, text };
  }
  if (verb === "ls") return { code: 0, text: readdirSync(path).sort().join("\n") };
  if (verb === "cat") return { code: 0, text: readFileSync(path, "utf8") };
  if (verb === "link") symlinkSync(target, path);
  else if (verb === "write") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, input);
  } else mkdirSync(path, { recursive: true });
  return { code: 0, text: "" };
}
