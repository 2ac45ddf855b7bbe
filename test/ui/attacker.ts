import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, OUTSIDE } from "../support/browser.ts";
import { type Loopback, serveLoopback } from "../support/loopback.ts";
import { type Aim, type Attack, FROM_OUTSIDE, REBOUND } from "./attacks.ts";

/** From where a page attacks; `at` is the server's own origin. */
export interface Stand {
  readonly name: string;
  readonly attacks: readonly Attack[];
  /** Address of the attacking page, given the attacker's server and the one that is attacked. */
  readonly address: (own: string, at: string) => string;
}

const portOf = (origin: string) => new URL(origin).port;

/** Everywhere from where a page in the user's browser can attack. */
export const STANDS: readonly Stand[] = [
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
export function serveAttacker(): Promise<Loopback> {
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
export async function attackFrom(
  { attacks, address }: Stand,
  { browser, own, aim }: {
    readonly browser: Browser;
    readonly own: Loopback;
    readonly aim: Omit<Aim, "name" | "by" | "redirect">;
  },
): Promise<Map<string, string>> {
  const won = new Map<string, string>();
  await using page = await browser.open();
  const url = address(own.url, aim.at);
  const isRebound = portOf(url) === portOf(aim.at);
  // Before its name came to mean this machine, the attacker's own server gave the page.
  if (isRebound) await page.answer(url, EMPTY);
  await page.go(url);
  const at = isRebound ? new URL(url).origin : aim.at;
  await Promise.all(attacks.map(async ({ name, by = "", patienceMs = PATIENCE_MS, run }) => {
    const given = { ...aim, at, name, by, redirect: own.url };
    const found = await Promise.race([page.run(run, given), sleep(patienceMs)]);
    if (found) won.set(name, found);
  }));
  for (const { url, text } of await page.documents()) {
    const name = decodeURIComponent(new URL(url).hash.slice(1));
    if (url.startsWith(at) && name !== "" && text !== "") won.set(name, text);
  }
  return won;
}
