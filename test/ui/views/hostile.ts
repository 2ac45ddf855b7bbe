// What strangers have written, in every view and in the narrowest window.

import assert from "node:assert/strict";
import { makeHome, PATIENCE } from "../../support/home.ts";
import { fillHostile, STATES, tooWide } from "../hostile.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

/** What markup would have left. */
const run = () => ({
  pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
  elements:
    document.querySelectorAll("script:not([src]), main img, dialog img, [onload], [onerror]")
      .length,
});

inBrowser(
  "in no view does a hostile store run, turn a line around, block or widen the page",
  async () => {
    await using home = makeHome(PATIENCE);
    await fillHostile(home);
    await using page = await openTab({ width: 320, height: 640 });
    await goTo(page, home);
    await page.until(() => document.querySelector("main .list-row"));
    const wide: string[] = [];
    for (const [name, { keys, at }] of Object.entries(STATES)) {
      for (const key of keys) await page.press(key);
      await page.until((at: string) => document.querySelector(at), at);
      assert.deepEqual(await page.run(run), { pwned: null, elements: 0 }, name);
      assert.doesNotMatch(await page.text(), /[\u202e\u2066]/, name);
      wide.push(...(await page.run(tooWide)).map((what) => `${name}: ${what}`));
    }
    assert.deepEqual(wide, []);
    assert.deepEqual(page.troubles, []);
  },
);
