// The view of memories in a real browser, by keyboard alone, with the executable's daemon behind it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { HAS_BROWSER, type Page } from "../../support/browser.ts";
import { type Home, makeHome, runMemo, succeed } from "../../support/home.ts";
import { until } from "../../support/until.ts";
import { openTab } from "./browser.ts";

async function openMemories(home: Home, page: Page): Promise<void> {
  const stdout = await succeed(home, ["ui", "--no-open"]);
  await page.go(stdout.trim());
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

Deno.test({
  name: "twenty notes are forgotten by keyboard, and all are back with one key",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    const paths = Array.from(
      { length: 25 },
      (_, i) => home.write(`${i}.md`, note(`Note ${String(i).padStart(2, "0")}`)),
    );
    const texts = paths.map((path) => readFileSync(path, "utf8"));
    await using page = await openTab({ width: 1280, height: 800 });
    await openMemories(home, page);
    await page.until(countIs, "25 memories");

    await page.press("x", ...Array.from({ length: 19 }, () => "j"), "X");
    await page.until(countIs, "20 selected");
    await page.press("f");
    await page.until(countIs, "5 memories");
    assert.equal(paths.filter((path) => existsSync(path)).length, 5);
    await page.shows(/Forgot 20 memories/);
    await page.press("u");
    await page.until(countIs, "25 memories");
    // The list follows each file that comes back.
    await until("every file is back", () => paths.every((path) => existsSync(path)));
    assert.deepEqual(paths.map((path) => readFileSync(path, "utf8")), texts);

    // The key comes before the change is made: what is undone is that change all the same.
    await page.press("a");
    await page.until(countIs, "25 selected");
    await page.press("f");
    await page.shows(/Forget 25 memories\?[\s\S]*one key brings them all back/);
    await page.press("Escape");
    await page.until(() => document.querySelector("dialog") === null);
    assert.ok(paths.every((path) => existsSync(path)), "forgetting everything is asked about");
    await page.press("f");
    await page.until(() => document.querySelector("dialog"));
    await page.press("Enter");
    await page.until(() => document.querySelector("dialog") === null);
    await page.press("u");
    await page.shows(/Undid: forgot 25 memories/);
    await page.until(countIs, "25 memories");
    assert.deepEqual(paths.map((path) => readFileSync(path, "utf8")), texts);
    assert.deepEqual(page.troubles, []);
  },
});

Deno.test({
  name: "a memory is searched, read, edited and brought back to an earlier version",
  ignore: !HAS_BROWSER,
  async fn() {
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
    await page.until(() => document.querySelectorAll(".version").length >= 2);
    await page.run(() =>
      /** @type {HTMLElement} */ (document.querySelector(".version button") as HTMLElement).click()
    );
    await page.until(() => document.querySelector(".diff-line.removed"));
    assert.match(
      await page.run(() => document.querySelector(".diff-line.removed")?.textContent ?? ""),
      /Removed: /,
    );
    await page.run(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>(".version button")];
      buttons.find(({ textContent }) => textContent === "Restore")!.click();
    });
    await page.shows(/^Restored “/m);
    assert.equal(readFileSync(path, "utf8"), before);
    assert.deepEqual(page.troubles, []);
  },
});

Deno.test({
  name: "a note of one line stands once in its row, and once beside it",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    await succeed(home, ["add", "Use pnpm, never npm"]);
    await using page = await openTab();
    await openMemories(home, page);
    await page.shows(/About it/);
    const text = await page.run(() => document.querySelector("main")!.textContent!);
    assert.equal(text.match(/Use pnpm, never npm/g)!.length, 3); // the third is folded: its front matter
    assert.equal(await page.run(() => document.querySelectorAll("main .note-text").length), 1);
  },
});

Deno.test({
  name: "the rows of a long list come as they come into view",
  ignore: !HAS_BROWSER,
  async fn() {
    await using home = makeHome();
    for (let i = 0; i < 900; i++) home.write(`${i}.md`, note(`Note ${String(i).padStart(3, "0")}`));
    await using page = await openTab({ width: 1280, height: 800 });
    await openMemories(home, page);
    await page.until(countIs, "900 memories");
    const rows = await page.run(() => document.querySelectorAll(".list-row").length);
    assert.ok(rows < 60, `${rows} rows are in the document`);
    await page.press("End");
    await page.until(() =>
      document.querySelector(".list-row.current .title")?.textContent === "Note 099"
    );
    assert.ok((await page.run(titles)).every((title) => title !== null));
    assert.deepEqual(page.troubles, []);
  },
});
