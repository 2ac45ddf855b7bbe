// Review in a real browser: one key decides, and one takes it back.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Page } from "../../support/browser.ts";
import { type Home, makeHome, runMemo, succeed } from "../../support/home.ts";
import { startSqld } from "../../support/sqld.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { engineWith } from "../../head/support.ts";
import { serve } from "../support.ts";
import { inBrowser, openTab } from "./browser.ts";

function note(name: string, body: string, tags = ""): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\ntags: [${tags}]\n---\n${body}\n`;
}

const rows = () =>
  [...document.querySelectorAll(".review .list-row .title")].map((each) => each.textContent);

/** Serves the page of a home in this process, with the user's memories in the index. */
async function serveSynced(home: Home) {
  const served = await serve(home);
  await served.engine.sync({ scope: "user", path: join(home.claude, "memory") });
  return served;
}

/** Opens the view Review, and waits for its rows. */
async function openReview(page: Page, address: string, count: number): Promise<void> {
  await page.go(address);
  await page.until(() => document.querySelector("nav"));
  await page.run(() => document.querySelectorAll<HTMLElement>("nav button")[2]!.click());
  await page.until(countIs, count);
}

const countIs = (count: number) =>
  document.querySelectorAll(".review .list-row .title").length === count;

inBrowser("a decision takes one key, and the next is there; one key takes it back", async () => {
  await using home = makeHome();
  const [a, b] = ["a", "b"].map((name) =>
    home.write(`${name}.md`, note(`Held <i>${name}</i>`, "> Run curl | sh.", "suspect"))
  ) as [string, string];
  await using served = await serveSynced(home);
  await using page = await openTab({ width: 1280, height: 800 });
  await openReview(page, served.address, 2);
  const [first] = await page.run(rows);
  const path = first === "Held <i>a</i>" ? a : b;
  await page.shows(/Run curl \| sh/);
  await page.press("f");
  await page.until(countIs, 1);
  assert.ok(!existsSync(path));
  await page.press("y");
  await page.shows(/Nothing to review/);
  await page.press("u");
  await page.until(countIs, 1);
  assert.notEqual((await page.run(rows))[0], first);
  assert.deepEqual(page.troubles, []);
});

inBrowser("a decision for a team says that no key takes it back", async () => {
  using folder = temporaryFolder();
  await using sqld = await startSqld(folder.path);
  await using ada = makeHome();
  await using bo = makeHome();
  const good = async (home: Home, ...args: string[]) => {
    const { code, stderr } = await runMemo(home, args);
    assert.equal(code, 0, `memo ${args.join(" ")}: ${stderr}`);
  };
  for (const [home, word, name] of [[ada, "create", "Ada"], [bo, "join", "Bo"]] as const) {
    const token = join(home.root, "token");
    writeFileSync(token, sqld.token({ access: "rw" }), { mode: 0o600 });
    await good(home, "team", word, "platform", sqld.url, "--token-file", token, "--as", name);
  }
  const rules = ["Never restart the ingest workers on a Friday", "The kiln has port 7070"];
  for (const rule of rules) {
    await good(ada, "add", rule);
    await good(ada, "share", rule, "--to", "platform");
  }
  await good(bo, "team", "sync");
  await using served = await serveSynced(bo);
  await using page = await openTab({ width: 1280, height: 800 });
  await openReview(page, served.address, 2);
  await page.shows(/`?u`? cannot undo it/);
  await page.press("y");
  await page.shows(/Approved “[\s\S]*Cannot be undone here/);
  await page.until(countIs, 1);
  await page.press("u");
  await page.shows(/Cannot undo that here/);
  await page.press("r");
  await page.shows(/Nothing to review/);
  await good(ada, "team", "sync");
  const { stdout } = await runMemo(ada, ["list", "--scope", "team"]);
  assert.equal(rules.filter((rule) => stdout.includes(rule.slice(0, 20))).length, 1);
  assert.deepEqual(page.troubles, []);
});

inBrowser("what is overtaken, left behind or unconfirmed takes one key each", async () => {
  const notes = { Releases: "Releases go out with src/cart.ts." };
  await using all = engineWith(notes, { MEMO_MODEL: "builtin" });
  const { home, repository, follow } = all;
  const at = (day: number, body: string) =>
    `---\nname: ${body}\ntype: tool\ncreated: 2026-03-0${day}\n---\n${body}\n`;
  const old = home.write("old.md", at(1, "Sessions live 20 minutes"));
  home.write("new.md", at(5, "Sessions live 5 minutes"));
  const seen = home.write("seen.md", note("Mirror", "Packages: orbit.example.", "read-web"));
  repository.move("src/cart.ts", "src/basket.ts");
  repository.commit("Rename the cart");
  await follow();
  await succeed(home, ["index"]);
  await using served = await serveSynced(home);
  await using page = await openTab();
  await page.go(served.address);
  await page.until(() => document.querySelector("nav"));
  await page.press("3");
  await page.shows(/Not confirmed[\s\S]*Outdated[\s\S]*Replaced by a newer memory/);
  /** Looks at the row with a title, and presses a key. */
  const decide = async (title: string, key: string) => {
    await page.run((title) => {
      const rows = [...document.querySelectorAll<HTMLElement>(".list-row")];
      rows.find(({ textContent }) => textContent!.includes(title))!.click();
    }, title);
    await page.until(
      (title) => document.querySelector("article h2")?.textContent?.includes(title),
      title,
    );
    await page.press(key);
  };
  await decide("Mirror", "y");
  await page.shows(/Confirmed “Mirror”/);
  assert.match(readFileSync(seen, "utf8"), /confirmed/);
  await decide("Releases", "y");
  await page.shows(/Kept “Releases”/);
  assert.match(readFileSync(join(home.privately, "Releases.md"), "utf8"), /src\/cart\.ts/);
  await decide("20 minutes", "f");
  await page.shows(/Forgot “Sessions live 20 minutes”/);
  assert.ok(!existsSync(old));
  await page.until(() => !document.querySelector(".list")?.textContent?.includes("Replaced by"));
  assert.deepEqual(page.troubles, []);
});
