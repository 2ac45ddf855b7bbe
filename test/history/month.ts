// A month of journals of a made-up shop's back end, with a few days of the months beside it, and questions about it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Days } from "../../src/core/index/history.ts";
import type { MemoryFolder } from "../../src/core/memory/memory.ts";
import { appendEntry, journalEntry } from "../../src/core/journal/journal.ts";

/** When something happened, by its local day and time, and what. */
type Happened = readonly [day: string, time: string, ...bullets: string[]];

/** What the questions are about. */
const TOLD = `
2026-02-11 10:20 Decided to cache product pages in Varnish for ten minutes
2026-03-02 09:40 Moved the product page cache from Varnish to Redis / Varnish could not purge by tag
2026-03-02 15:10 Chose Playwright over Cypress for browser tests because it drives WebKit
2026-03-03 11:05 Checkout failed for Swiss customers: VAT was computed twice for CHF carts
2026-03-04 10:15 Set the session timeout to 45 minutes after support complained about lost carts
2026-03-05 14:30 Anna asked that commit messages name the ticket, as in SHOP-123
2026-03-06 16:45 Dropped the Elasticsearch cluster; Postgres full text is enough for 40,000 products
2026-03-09 09:30 Found the memory leak: the image resizer kept every Sharp instance in a map
2026-03-10 13:20 Invoices are numbered per country from now on, the tax office wants no gaps
2026-03-11 17:00 Deploys on Friday are forbidden after the outage of last week
2026-03-12 10:50 Switched payment from Stripe Checkout to Payment Elements to keep the basket visible
2026-03-13 11:40 The nightly export to the warehouse runs at 02:30 UTC now, before it collided with the backup
2026-03-16 09:15 Rolled back the migration that renamed orders.total: the mobile app still reads it
2026-03-17 15:35 Agreed to keep Node 20 until June, Lambda has no 22 yet
2026-03-18 10:05 Renamed the feature flag service from Toggler to Switchboard
2026-03-19 14:10 Rejected GraphQL for the partner interface: partners asked for plain REST with CSV
2026-03-20 12:00 Rate limit for the public API is 60 requests a minute per key, bursts of 20
2026-03-23 09:55 Passwords are hashed with argon2id, bcrypt hashes are upgraded at login
2026-03-24 16:20 The flaky basket test waited for an animation; it now disables CSS transitions
2026-03-25 11:25 Customers may return goods within 60 days, the legal minimum of 14 was too stingy for marketing
2026-03-26 10:35 Images are served as AVIF with a JPEG fallback, pages lost a third of their weight
2026-03-27 13:50 Split the monolith's mailer into a worker with its own queue on SQS
2026-03-30 15:00 Tomás takes over the search page from Priya until she is back in May
2026-04-08 10:10 Raised the product page cache in Redis to one hour
2026-04-14 11:30 Set the session timeout to two hours for logged-in customers
`.trim().split("\n").map((line): Happened => {
  const [, day, time, bullets] = /^(\S+) (\S+) (.*)$/.exec(line)!;
  return [day!, time!, ...bullets!.split(" / ")];
});

/** What happens every day and answers none of the questions. */
const DAILY: readonly string[] = [
  "Fixed a typo in the footer of the start page",
  "Updated dependencies and ran the tests, all green",
  "Reviewed a pull request about button colours",
  "Added unit tests for the price formatter",
  "Explained how the router resolves nested layouts",
  "Renamed helper functions in the basket component",
  "Looked into a slow query on the customers table and added an index",
  "Wrote release notes for the newsletter",
  "Refactored the address form into smaller components",
  "Answered a question about git rebase",
  "Regenerated the API client after the schema changed",
  "Removed dead code from the coupon module",
  "Investigated a 404 on the German sitemap",
  "Set up a new laptop with the development containers",
  "Tuned the log level of the shipping worker",
  "Drafted a design for the wishlist",
];
const DAILY_TIMES = ["09:05", "11:55", "13:05", "14:55", "17:30"];

const days = (from: string, to: string): Days => ({ from, to });
const MARCH = days("2026-03-01", "2026-03-31");

/** A question, and the day and time of the entry that answers it. */
export const QUESTIONS: readonly (readonly [question: string, at: string, days?: Days])[] = [
  ["What did we decide about the product cache?", "2026-03-02 09:40", MARCH],
  [
    "what did we decide about caching product pages",
    "2026-02-11 10:20",
    days("2026-02-01", "2026-02-28"),
  ],
  ["which tool did we pick for end-to-end tests in the browser", "2026-03-02 15:10"],
  ["why did people from Switzerland have trouble paying", "2026-03-03 11:05"],
  ["session timeout", "2026-03-04 10:15", MARCH],
  ["how long do sessions last?", "2026-04-14 11:30", days("2026-04-01", "9999-12-31")],
  ["how should commit messages look", "2026-03-05 14:30"],
  ["why did we get rid of Elasticsearch", "2026-03-06 16:45"],
  ["what caused the leak of memory", "2026-03-09 09:30"],
  ["how are invoices numbered", "2026-03-10 13:20"],
  ["when is deploying not allowed", "2026-03-11 17:00"],
  ["what did we change about Stripe", "2026-03-12 10:50"],
  ["what time does the warehouse export run", "2026-03-13 11:40"],
  ["which migration was undone", "2026-03-16 09:15", days("2026-03-16", "2026-03-16")],
  ["do we upgrade to Node 22", "2026-03-17 15:35"],
  ["what is the new name of Toggler", "2026-03-18 10:05"],
  ["why no GraphQL for partners", "2026-03-19 14:10"],
  ["wie viele Anfragen pro Minute erlaubt die öffentliche API", "2026-03-20 12:00"],
  ["¿cómo se guardan las contraseñas?", "2026-03-23 09:55"],
  ["who is responsible for the search page while Priya is away", "2026-03-30 15:00"],
];

/** The id of the turn of an entry. */
export function turnAt(day: string, time: string): string {
  const digits = `${day.slice(5)}${time}`.replace(/\D/g, "");
  return `${digits}-${day.slice(0, 4)}-4000-8000-000000000000`;
}

/** Writes the month into a folder's journal, as capture does. */
export async function writeMonth(folder: MemoryFolder): Promise<void> {
  const journal = { path: join(folder.path, "journal"), folder };
  mkdirSync(journal.path, { recursive: true });
  for (const [day, time, ...bullets] of [...TOLD, ...daily()].sort()) {
    const turn = { id: turnAt(day, time), session: `session-${day}` };
    const transcript = `/transcripts/session-${day}.jsonl`;
    const at = new Date(`${day}T${time}`);
    await appendEntry(journalEntry(turn, { bullets, transcript, journal, at })!);
  }
}

function daily(): Happened[] {
  return Array.from({ length: 31 }, (_, i) => `2026-03-${String(i + 1).padStart(2, "0")}`)
    .flatMap((day, i) =>
      DAILY_TIMES.map((time, j): Happened => [
        day,
        time,
        DAILY[(i * 5 + j * 3) % DAILY.length]!,
        DAILY[(i + j * 7 + 1) % DAILY.length]!,
      ])
    );
}
