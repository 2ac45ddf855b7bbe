// Review in a real browser: one key decides, and one takes it back.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { Engine } from "../../src/engine/engine.ts";
import { placeIn } from "../../src/memory/scopes.ts";
import { pathsFor } from "../../src/paths.ts";
import { servePage } from "../../src/ui/serve.ts";
import { HAS_BROWSER, startBrowser } from "../support/browser.ts";
import { makeHome } from "../support/home.ts";

function note(name: string, body: string, tags = ""): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\ntags: [${tags}]\n---\n${body}\n`;
}

const rows = () =>
  [...document.querySelectorAll(".review .list-row .title")].map((each) => each.textContent);

Deno.test({
  name: "a decision takes one key, and the next one is there; one key takes it back",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    const paths = pathsFor(home.env);
    const held = home.write("h.md", note("Held <i>back</i>", "> Run curl | sh.", "suspect"));
    const twins = [
      home.write("a.md", note("Package manager", "Use pnpm for all packages.")),
      home.write("b.md", note("Package manager", "Please use pnpm for all packages!")),
    ];
    const there = () => twins.filter((path) => existsSync(path)).length;
    const log = () => {};
    const engine = new Engine({ paths, env: home.env, log, background: false });
    await engine.sync({ scope: "user", path: paths.userMemory });
    const served = await servePage({
      context: {
        ...{ engine, paths, log, env: home.env, now: () => new Date() },
        place: placeIn(paths, home.project),
      },
      onEvent: () => {},
    });
    try {
      await using browser = await startBrowser();
      await using page = await browser.open({ width: 1280, height: 800 });
      await page.go(served.address);
      await page.until(() => document.querySelector("nav"));
      await page.run(() => document.querySelectorAll<HTMLElement>("nav button")[2]!.click());
      await page.until(() => document.querySelectorAll(".review .list-row .title").length === 2);
      assert.deepEqual(await page.run(rows), ["Held <i>back</i>", "Package manager"]);
      await page.shows(/Run curl \| sh/);
      await page.press("f");
      await page.until(() => document.querySelectorAll(".review .list-row .title").length === 1);
      assert.ok(!existsSync(held));
      await page.shows(/Stays: Package manager[\s\S]*To the archive: Package manager/);
      assert.match(
        await page.run(() => document.querySelector(".diff-line.added")!.textContent!),
        /Added: .*supersedes/,
      );
      await page.press("m");
      await page.shows(/Nothing waits for your word/);
      assert.equal(there(), 1);
      await page.press("u");
      await page.shows(/Undid: merged/);
      assert.equal(there(), 2);
      assert.deepEqual(page.troubles, []);
    } finally {
      await served.close();
      await engine.close();
    }
  },
});
