// The page as a whole, with the executable's daemon behind it: what ends it, and who else is on the machine.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Page } from "../../support/browser.ts";
import { type Home, makeHome, runMemo, succeed } from "../../support/home.ts";
import { enter, pageAt } from "../../support/page.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

async function open(home: Home, page: Page): Promise<void> {
  await goTo(page, home);
  await page.shows(/Nothing yet/);
}

/** Opens the editor of the one memory. */
async function openEditor(home: Home, page: Page): Promise<void> {
  await open(home, page);
  await page.press("2");
  await page.shows(/Use pnpm, never npm/);
  await page.press("Enter");
  await page.until(() => document.querySelector(".memory .note-text"));
  await page.press("e");
  await page.until(() => document.activeElement?.id === "editor");
}

inBrowser("views and notes have addresses to go between, and a reload keeps access", async () => {
  await using home = makeHome();
  await succeed(home, ["add", "Use pnpm, never npm"]);
  await succeed(home, ["add", "The kiln has port 7070"]);
  await using page = await openTab();
  await open(home, page);
  const hash = () => location.hash;
  await page.press("2");
  await page.until(() => document.querySelectorAll(".list-row .title").length === 2);
  await page.run(() => document.querySelectorAll<HTMLElement>(".list-row")[1]!.click());
  await page.shows(/Use pnpm, never npm[\s\S]*Details/);
  const note = await page.run(hash);
  assert.match(note, /^#memories\/[\w-]{16}$/);
  await page.press("3");
  assert.equal(await page.run(hash), "#review");
  await page.run(() => history.back());
  await page.until(() => document.title === "Memories · memo");
  assert.equal(await page.run(hash), note);

  await page.reload();
  await page.until(() =>
    document.querySelector("article h2")?.textContent?.trim() === "Use pnpm, never npm"
  );
  assert.equal(await page.run(hash), note);
  await page.run(() => history.forward());
  await page.until(() => document.title === "Review · memo");
  assert.deepEqual(page.troubles, []);

  // The token is the tab's, and of this address alone.
  const address = await page.run(() => location.href);
  await using other = await openTab();
  await other.go(address);
  await other.shows(/This page is closed[\s\S]*in the tab[\s\S]*memo ui/);
  assert.equal(await page.run(() => document.cookie), "");
  await open(home, page); // which ends the one before
  await page.press("2");
  await page.shows(/Use pnpm, never npm/);
});

inBrowser("what is being written is not left unasked, and can be copied at the end", async () => {
  await using home = makeHome();
  const path = (await runMemo(home, ["add", "Use pnpm, never npm"])).stdout.trim();
  const text = readFileSync(path, "utf8");
  await using page = await openTab();
  await openEditor(home, page);
  await page.press("Control+End");
  await page.type("A");
  await page.reload(); // the browser asks first, and this one says yes
  assert.deepEqual(page.troubles, ["dialog: "]);

  await openEditor(home, page);
  await page.press("Control+End");
  await page.type("An hour of work.");
  await runMemo(home, ["daemon", "stop"]);
  await page.press("Control+Enter");
  await page.shows(/This page is closed[\s\S]*daemon restarts[\s\S]*memo ui[\s\S]*not saved/);
  const kept = await page.run(() => document.querySelector("textarea")!.value);
  assert.match(kept, /never npm[\s\S]*An hour of work\.$/);
  assert.equal(readFileSync(path, "utf8"), text);

  // What nobody has changed is not offered.
  await openEditor(home, page);
  await runMemo(home, ["daemon", "stop"]);
  await page.run(() => document.querySelectorAll<HTMLElement>("nav button")[2]!.click());
  await page.shows(/This page is closed/);
  assert.equal(await page.run(() => document.querySelector("textarea")), null);
});

/** Runs a command as a user without any rights; undefined where that cannot be done. */
function asNobody(command: string, ...args: readonly string[]) {
  return spawnSync("runuser", ["-u", "nobody", "--", command, ...args], { encoding: "utf8" });
}
const HAS_NOBODY = process.platform === "linux" && process.getuid?.() === 0 &&
  asNobody("curl", "--version").status === 0;

Deno.test({
  name: "another user of the machine reads nothing at the port, in the folder or of the processes",
  ignore: !HAS_NOBODY,
  async fn() {
    await using home = makeHome();
    await succeed(home, ["add", "The kiln has port 7070"]);
    // Only what memo itself has shut is shut.
    for (const folder of [home.root, home.memoHome]) chmodSync(folder, 0o755);
    const opener = home.write("browser.sh", "#!/bin/sh\nexec sleep 300\n");
    chmodSync(opener, 0o700);
    const opening = runMemo({ ...home, env: { ...home.env, BROWSER: opener } }, ["ui"]);
    const file = join(home.memoHome, "run", "page.html");
    while (!existsSync(file)) await sleep(20);
    const [address] = /http:[^"]+/.exec(readFileSync(file, "utf8"))!;
    const at = pageAt(address);
    const run = readdirSync(join(home.memoHome, "run"));
    assert.ok(run.includes("memo.sock") && run.includes("page.html"), run.join());
    for (const name of ["", ...run]) {
      const read = asNobody("cat", join(home.memoHome, "run", name));
      assert.notEqual(read.status, 0, name);
      assert.equal(read.stdout, "", name);
    }
    const own = await enter(at);
    await opening;

    const base = `http://${at.host}`;
    const json = ["-H", "content-type: application/json", "-d", "{}"];
    const bearer = (token: string) => ["-H", `authorization: Bearer ${token}`];
    const requests: (readonly string[])[] = [
      [`${base}/api/now`, ...json],
      [`${base}/api/memories`, ...json, "-H", `origin: ${base}`],
      [`${base}/api/memories`, ...json, ...bearer("A".repeat(43))],
      [`${base}/api/session`, ...json, ...bearer(at.token)], // it leaked, after it was used
      [`${base}/api/forget`, ...json, ...bearer(at.token)],
      [`${base}/api/now`],
      [`${base}/run/page.html`],
    ];
    for (const request of requests) {
      const { status, stdout } = asNobody("curl", "-s", "-i", ...request);
      assert.equal(status, 0, "it has an answer");
      assert.match(stdout, /^HTTP\/1\.1 4\d\d/, request.join(" "));
      assert.doesNotMatch(stdout, /7070/, request.join(" "));
    }
    for (const path of ["/", "/main.js"]) { // what everybody has who has memo
      const { stdout } = asNobody("curl", "-s", `${base}${path}`);
      for (const secret of ["7070", own, at.token, home.root]) assert.ok(!stdout.includes(secret));
    }
    const processes = asNobody("ps", "-eww", "-o", "args").stdout;
    for (const secret of [own, at.token]) assert.ok(!processes.includes(secret));
  },
});
