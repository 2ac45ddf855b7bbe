// The view of memories in a real browser, by keyboard alone, with the executable's daemon behind it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type Page } from "../../support/browser.ts";
import { type Home, makeHome, runMemo, succeed } from "../../support/home.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

async function openMemories(home: Home, page: Page): Promise<void> {
  await goTo(page, home);
  await page.until(() => document.querySelector("nav"));
  await page.run(() => document.querySelectorAll<HTMLElement>("nav button")[1]!.click());
  await page.until(() => document.querySelector(".memories .list-row .title"));
}

const titles = () =>
  [...document.querySelectorAll(".memories .list-row .title")].map((each) => each.textContent);
const countIs = (text: string) => document.querySelector(".count-bar")?.textContent?.includes(text);

function note(name: string, body = `About ${name}.`): string {
  return `---\nname: ${JSON.stringify(name)}\ntype: project\nupdated: 2026-11-01\n---\n${body}\n`;
}

inBrowser("a memory is searched, read, edited, forgotten and back again", async () => {
  await using home = makeHome();
  const { stdout } = await runMemo(home, ["add", "Deploy with kamal, never by hand"]);
  const path = stdout.trim(), before = readFileSync(path, "utf8");
  home.write("ficus.md", note("Plants", "The ficus wants water every ten days."));
  await using page = await openTab({ width: 1280, height: 800 });
  await openMemories(home, page);
  await page.press("/");
  await page.type("how do we deploy");
  await page.until(() =>
    document.querySelector(".memories .list-row .title")?.textContent?.startsWith("Deploy") &&
    document.querySelectorAll(".memories .list-row").length === 1
  );
  await page.press("Enter");
  await page.shows(/never by hand/);
  await page.press("e");
  await page.until(() => document.activeElement?.id === "editor");
  await page.press("Control+a");
  await page.type(before.replaceAll("kamal", "argo").replaceAll("\n", ""));
  await page.press("Control+Enter");
  await page.shows(/^Changed “/m);
  assert.match(readFileSync(path, "utf8"), /argo/);
  await page.press("u");
  await page.shows(/^Undid/m);
  assert.equal(readFileSync(path, "utf8"), before);

  await page.press("f");
  await page.shows(/^Forgot “/m);
  assert.ok(!existsSync(path));
  await page.press("u");
  await page.shows(/^Undid: forgot/m);
  assert.equal(readFileSync(path, "utf8"), before);
  assert.deepEqual(page.troubles, []);
});

inBrowser("a note of one line stands once in its row, and once beside it", async () => {
  await using home = makeHome();
  await succeed(home, ["add", "Use pnpm, never npm"]);
  await using page = await openTab();
  await openMemories(home, page);
  await page.shows(/Details/);
  const text = await page.run(() => document.querySelector("main")!.textContent!);
  assert.equal(text.match(/Use pnpm, never npm/g)!.length, 3); // the third is folded: its front matter
  assert.equal(await page.run(() => document.querySelectorAll("main .note-text").length), 1);
});

inBrowser("the rows of a long list come as they come into view", async () => {
  await using home = makeHome();
  for (let i = 0; i < 900; i++) home.write(`${i}.md`, note(`Note ${String(i).padStart(3, "0")}`));
  await using page = await openTab({ width: 1280, height: 800 });
  await openMemories(home, page);
  await page.until(countIs, "900 memories");
  const rows = await page.run(() => document.querySelectorAll(".list-row").length);
  assert.ok(rows < 60, `${rows} rows are in the document`);
  await page.press("End");
  await page.until(() => document.querySelector(".list-all")!.clientHeight > 600 * 48);
  await page.press("End");
  await page.until(() =>
    document.querySelector(".list-row.current .title")?.textContent === "Note 099"
  );
  assert.ok((await page.run(titles)).every((title) => title !== null));
  assert.deepEqual(page.troubles, []);
});
