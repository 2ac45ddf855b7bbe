import assert from "node:assert/strict";
import { HAS_BROWSER, startBrowser } from "../support/browser.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { openPage } from "../support/page.ts";
import { attackFrom, serveAttacker, STANDS } from "./attacker.ts";
import { serveCarelessly } from "./careless.ts";

const ignore = !HAS_BROWSER;

Deno.test({ name: "each attack succeeds on a server that checks nothing", ignore }, async () => {
  await using browser = await startBrowser();
  await using own = await serveAttacker();
  await using careless = await serveCarelessly();
  const aim = {
    at: careless.at,
    call: "/api/forget",
    body: { id: "x" },
    stolen: "s".repeat(43),
    marked: true,
  };
  for (const stand of STANDS) {
    const won = await attackFrom(stand, { browser, own, aim });
    const failed = stand.attacks.filter(({ name }) => !won.has(name) && !careless.wrote(name));
    assert.deepEqual(failed.map(({ name }) => name), [], stand.name);
  }
});

Deno.test({ name: "none of them succeeds on memo's page", ignore }, async () => {
  await using home = makeHome();
  await succeed(home, ["add", "Use pnpm, never npm"]);
  const log = async () => JSON.parse((await runMemo(home, ["log", "--json"])).stdout);
  const before = await log();
  await using browser = await startBrowser();
  await using own = await serveAttacker();
  // The user has the page open in the same browser, and its address has leaked after it was used.
  const { port, token } = await openPage(home);
  await using mine = await browser.open();
  const at = `http://127.0.0.1:${port}`;
  await mine.go(`${at}/#${token}`);
  await mine.shows(/Nothing given yet/);
  await mine.press("2");
  await mine.shows(/Use pnpm, never npm/);
  const body = { group: before[0].id };
  const aim = { at, call: "/api/undo", body, stolen: token, marked: false };
  for (const stand of STANDS) {
    const won = await attackFrom(stand, { browser, own, aim });
    assert.deepEqual(Object.fromEntries(won), {}, stand.name);
  }
  assert.deepEqual(await log(), before);
  for (const { headers } of own.received) assert.ok(!JSON.stringify(headers).includes(token));
  await mine.press("1", "2");
  await mine.shows(/Use pnpm, never npm/); // and it still works
});
