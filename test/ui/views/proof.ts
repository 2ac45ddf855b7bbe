// The view of proof and cost in a real browser, from the state that hooks and captures leave.

import assert from "node:assert/strict";
import { Engine } from "../../../src/core/engine/engine.ts";
import { writeSpending } from "../../../src/core/llm/ledger.ts";
import { placeIn } from "../../../src/core/memory/scopes.ts";
import { pathsFor } from "../../../src/paths.ts";
import { writeReceipt } from "../../../src/core/recall/receipts.ts";
import { servePage } from "../../../src/surfaces/ui/serve.ts";
import { HAS_BROWSER } from "../../support/browser.ts";
import { makeHome, succeed } from "../../support/home.ts";
import { openTab } from "./browser.ts";

const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

Deno.test({
  name: "proof and cost draw tokens, spending and latency, each with its table",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    const paths = pathsFor(home.env);
    const path = home.write(
      "feedback_pin.md",
      "---\nname: Pin versions\ntype: feedback\ncreated: 2026-09-01\n---\nPin them.\n",
    );
    for (let day = 0; day < 20; day++) {
      writeSpending(paths.spending, {
        ...{ at: ago(day), purpose: day % 3 === 0 ? "dream" : "extract", provider: "anthropic" },
        ...{
          model: "claude-haiku-5-5",
          input: 4000 + day * 100,
          output: 300,
          usd: 0.01 + day / 900,
        },
        ...{ ms: 900, outcome: "ok", redacted: 0 },
      });
      for (let i = 0; i < 10; i++) {
        writeReceipt(paths.receipts, {
          ...{ at: ago(day), event: i === 0 ? "SessionStart" : "UserPromptSubmit" },
          ...{ session: `s${day}`, cwd: home.project, outcome: i % 3 === 0 ? "hit" : "no hit" },
          ...{ memories: i % 3 === 0 ? [{ path }] : [], chars: i % 3 === 0 ? 900 + 40 * day : 0 },
          ms: { all: 3 + ((day * 7 + i * 13) % 40) + (i === 0 ? 120 : 0) },
        });
      }
    }
    const log = () => {};
    const engine = new Engine({ paths, env: home.env, log, background: false });
    await engine.sync({ scope: "user", path: paths.userMemory });
    const place = placeIn(paths, home.project);
    const served = await servePage({
      context: { engine, paths, log, env: home.env, now: () => new Date(), place },
      onEvent: () => {},
    });
    try {
      await using page = await openTab({ width: 1280, height: 900 });
      await page.go(served.address);
      await page.until(() => document.querySelector("nav"));
      await page.run(() => document.querySelectorAll<HTMLElement>("nav button")[3]!.click());
      await page.until(() => document.querySelectorAll(".uplot canvas").length === 6);
      const tables = await page.run(() =>
        [...document.querySelectorAll("table")].map(({ caption, rows }) =>
          [caption!.textContent, rows.length] as const
        )
      );
      assert.deepEqual(tables, [
        ["memo's input tokens by session", 21],
        ["Dollars by day and purpose", 21],
        ["Hooks by milliseconds", 12],
        ["Milliseconds over time", 4],
        ["Memories by the day they were saved", 2],
        ["Prompts by day", 21],
      ]);
      const said = await page.run(() => document.querySelector("main")!.textContent!);
      assert.match(said, /hooks200/);
      assert.deepEqual(page.troubles, []);
    } finally {
      await served.close();
      await engine.close();
    }
  },
});

Deno.test({
  name:
    "in the first week there is something to look at: what memo knows, and what will fill the rest",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    await succeed(home, ["add", "Use pnpm, never npm", "--type", "feedback"]);
    await succeed(home, ["add", "The kiln has port 7070", "--type", "tool"]);
    await using page = await openTab();
    await page.go((await succeed(home, ["ui", "--no-open"])).trim());
    await page.until(() => document.querySelector("nav"));
    await page.press("4");
    await page.shows(/What memo knows[\s\S]*notes\s+2[\s\S]*by your hand\s+2[\s\S]*feedback\s+1/);
    await page.shows(/Tokens carried\s+The first session/);
    await page.until(() => document.querySelectorAll(".uplot canvas").length === 1); // the store's
    assert.deepEqual(page.troubles, []);
  },
});
