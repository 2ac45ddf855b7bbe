// The tests' own browser: what it cannot do, it says.

import assert from "node:assert/strict";
import { HAS_BROWSER, startBrowser } from "./browser.ts";

const ignore = !HAS_BROWSER;

Deno.test({ name: "a promise that never settles is not waited for", ignore }, async () => {
  await using browser = await startBrowser({ answerMs: 3000 });
  await using page = await browser.open();
  await assert.rejects(
    page.run(() => new Promise(() => {})),
    /Runtime\.evaluate: no answer within 3000 ms/,
  );
  assert.equal(await page.run(() => 1 + 1), 2, "and the page goes on");
});

Deno.test({ name: "every character that is typed arrives", ignore }, async () => {
  await using browser = await startBrowser();
  await using page = await browser.open();
  await page.run(() => {
    const area = document.createElement("textarea");
    document.body.append(area);
    area.focus();
  });
  const all = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
  const typed = `${all}\nä ñ ß € 漢.`;
  await page.type(typed);
  assert.equal(await page.run(() => document.querySelector("textarea")!.value), typed);
});
