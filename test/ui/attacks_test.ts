import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, HAS_BROWSER, OUTSIDE, startBrowser } from "../support/browser.ts";
import { makeHome, runMemo, succeed } from "../support/home.ts";
import { type Loopback, serveLoopback } from "../support/loopback.ts";
import { openPage } from "../support/page.ts";
import { type Aim, type Attack, FROM_OUTSIDE, REBOUND } from "./attacks.ts";
import { serveCarelessly } from "./careless.ts";

const ignore = !HAS_BROWSER;

/** From where a page attacks; `at` is the server's own origin. */
interface Stand {
  readonly name: string;
  readonly attacks: readonly Attack[];
  /** Address of the attacking page, given the attacker's server and the one that is attacked. */
  readonly address: (own: string, at: string) => string;
}

const portOf = (origin: string) => new URL(origin).port;

/** Everywhere from where a page in the user's browser can attack. */
const STANDS: readonly Stand[] = [
  {
    name: "another site",
    attacks: FROM_OUTSIDE,
    address: (own) => `http://${OUTSIDE.attacker}:${portOf(own)}/`,
  },
  { name: "another port of this machine", attacks: FROM_OUTSIDE, address: (own) => `${own}/` },
  {
    name: "another name of this machine",
    attacks: FROM_OUTSIDE,
    address: (own) => `http://localhost:${portOf(own)}/`,
  },
  {
    name: "a name that has come to mean this machine",
    attacks: REBOUND,
    address: (_own, at) => `http://${OUTSIDE.rebound}:${portOf(at)}/`,
  },
];

/** The attacker's own server: an empty page, and redirects. */
function serveAttacker(): Promise<Loopback> {
  return serveLoopback(({ path }, response) => {
    response.setHeader("access-control-allow-origin", "*");
    const to = new URL(path, "http://x").searchParams.get("to");
    if (to !== null) response.writeHead(307, { location: to }).end();
    else response.setHeader("content-type", "text/html").end(EMPTY);
  });
}

/** An attack that hangs has got hold of nothing. */
const PATIENCE_MS = 8000;
const EMPTY = "<!doctype html><title>attacker</title><body></body>";

/** What each attack from a stand has got hold of; one that shows the server's page has got hold of its text. */
async function attackFrom(
  { attacks, address }: Stand,
  { browser, own, aim: { bodyOf, ...known } }: {
    readonly browser: Browser;
    readonly own: Loopback;
    readonly aim: Pick<Aim, "at" | "call" | "stolen"> & {
      readonly bodyOf: (name: string) => object;
    };
  },
): Promise<Map<string, string>> {
  const won = new Map<string, string>();
  await using page = await browser.open();
  const url = address(own.url, known.at);
  const isRebound = portOf(url) === portOf(known.at);
  // Before its name came to mean this machine, the attacker's own server gave the page.
  if (isRebound) await page.answer(url, EMPTY);
  await page.go(url);
  const at = isRebound ? new URL(url).origin : known.at;
  await Promise.all(attacks.map(async ({ name, by = "", patienceMs = PATIENCE_MS, run }) => {
    const body = JSON.stringify(bodyOf(name));
    const given = { ...known, at, name, by, body, redirect: own.url };
    const found = await Promise.race([page.run(run, given), sleep(patienceMs)]);
    if (found) won.set(name, found);
  }));
  for (const { url, text } of await page.documents()) {
    const name = decodeURIComponent(new URL(url).hash.slice(1));
    if (url.startsWith(at) && name !== "" && text !== "") won.set(name, text);
  }
  return won;
}

Deno.test({ name: "each attack succeeds on a server that checks nothing", ignore }, async () => {
  await using browser = await startBrowser();
  await using own = await serveAttacker();
  await using careless = await serveCarelessly();
  const bodyOf = (name: string) => ({ id: "x", name });
  const aim = { at: careless.at, call: "/api/forget", bodyOf, stolen: "s".repeat(43) };
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
  await mine.shows(/Nothing yet/);
  await mine.press("2");
  await mine.shows(/Use pnpm, never npm/);
  const bodyOf = () => ({ group: before[0].id });
  const aim = { at, call: "/api/undo", bodyOf, stolen: token };
  for (const stand of STANDS) {
    const won = await attackFrom(stand, { browser, own, aim });
    assert.deepEqual(Object.fromEntries(won), {}, stand.name);
  }
  assert.deepEqual(await log(), before);
  for (const { headers } of own.received) assert.ok(!JSON.stringify(headers).includes(token));
  await mine.press("1", "2");
  await mine.shows(/Use pnpm, never npm/); // and it still works
});
