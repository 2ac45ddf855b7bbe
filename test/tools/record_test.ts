import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { succeed } from "../support/home.ts";
import { terminalSvg } from "../../tools/docs/terminal_svg.ts";
import { addMemories, PROMPT, showBlock, SVG, withShop } from "../../tools/record.ts";

Deno.test("the picture of README.md shows what memo says and what it adds to the prompt", async () => {
  const [before, block] = windowsOf(
    await withShop(async (home) => {
      const added = await addMemories(home);
      const send = async (event: Readonly<Record<string, string>>) => {
        const of = {
          session_id: "s1",
          transcript_path: `${home.root}/s1.jsonl`,
          cwd: home.project,
        };
        return JSON.parse(
          await succeed(home, ["hook"], { stdin: JSON.stringify({ ...of, ...event }) }),
        );
      };
      await send({ hook_event_name: "SessionStart", source: "startup" });
      const { hookSpecificOutput } = await send({
        hook_event_name: "UserPromptSubmit",
        prompt: PROMPT,
      });
      const windows = [added, showBlock(home, hookSpecificOutput.additionalContext)];
      return terminalSvg("", windows);
    }),
  );
  const [shownBefore, session, shownBlock] = windowsOf(readFileSync(SVG, "utf8"));
  const hint = "`deno task record` draws it again";
  assert.deepEqual(shownBefore, before, hint);
  assert.deepEqual(shownBlock, block, hint);
  assert.ok(session?.includes(PROMPT), hint);
});

/** The texts of each window of a picture, whose markup is laid out anew by the formatter. */
function windowsOf(svg: string): string[][] {
  return svg.split(/<g\s/).slice(1).map((window) =>
    [...window.matchAll(/>([^<]*)<\/text>/g)].map(([, text]) => text!)
  );
}
