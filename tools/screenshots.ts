// Takes the pictures of docs/ui.md: fills a throw-away home with a made-up store and what real hooks
// leave in it, opens `memo ui`, and has a real browser show each view.
//
//   deno task screenshots

import { mkdirSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HAS_BROWSER, type Page, type PageOptions, startBrowser } from "../test/support/browser.ts";
import { readFixture } from "../test/support/fixtures.ts";
import { makeHome, PATIENCE, succeed, warmUp } from "../test/support/home.ts";
import { SESSIONS, writeStore } from "./made_up_store.ts";

const FOLDER = fileURLToPath(new URL("../docs/ui/", import.meta.url));
const NARROW = { width: 320, height: 640 } as const;

/** The pictures by view, in the order of the keys that open the views. */
const VIEWS: readonly {
  readonly key: string;
  readonly pictures: Readonly<Record<string, PageOptions>>;
  /** Brings the view to what the picture is to show. */
  ready(page: Page): Promise<unknown>;
}[] = [
  {
    key: "1",
    pictures: { "now-light": {}, "now-dark": { scheme: "dark" }, "now-narrow": NARROW },
    ready: (page) => page.until(() => document.querySelector(".detail .card")),
  },
  {
    key: "2",
    pictures: { "memories-light": {}, "memories-dark": { scheme: "dark" } },
    async ready(page) {
      await page.until(() => document.querySelector(".memories .list-row .title"));
      await page.press("j", "j");
      await page.shows(/5432, que es de otro proyecto/);
    },
  },
  {
    key: "3",
    pictures: { "review-light": {} },
    async ready(page) {
      await page.shows(/\d decisions/);
      await page.press("G");
      await page.until(() => document.querySelectorAll(".note-text").length === 2);
    },
  },
];

if (!HAS_BROWSER) throw new Error("Chromium not found: `apt install chromium`");
const home = makeHome(PATIENCE, { hasModel: true });
try {
  writeStore(home, [...new Set(SESSIONS.map(({ project }) => project))]);
  await warmUp(home);
  for (const { id, project, prompts } of SESSIONS) {
    await hook(id, project, "SessionStart.startup", {});
    for (const prompt of prompts) await hook(id, project, "UserPromptSubmit", { prompt });
  }
  const { address } = JSON.parse(await succeed(home, ["ui", "--no-open", "--json"]));
  mkdirSync(FOLDER, { recursive: true });
  await using browser = await startBrowser();
  await using page = await browser.open({ width: 1100, height: 720 });
  await page.go(address);
  await page.until(() => document.querySelector("nav"));
  for (const { key, pictures, ready } of VIEWS) {
    await page.press(key);
    await ready(page);
    for (const [name, options] of Object.entries(pictures)) {
      await page.look({ width: 1100, height: 720, ...options });
      await settle(page);
      checkPrivate(name, await page.text());
      writeFileSync(join(FOLDER, `${name}.png`), await page.picture());
    }
    await page.look({ width: 1100, height: 720 });
  }
  if (page.troubles.length > 0) throw new Error(page.troubles.join("\n"));
} finally {
  await home.dispose();
}

/** The folder of a project in the home. */
function folderOf(project: string): string {
  return join(home.root, project);
}

/** Sends a hook as Claude Code does. */
async function hook(session: string, project: string, event: string, fields: object) {
  const cwd = folderOf(project);
  const stdin = JSON.stringify({
    ...readFixture(event),
    ...{ cwd, session_id: session, prompt_id: crypto.randomUUID() },
    transcript_path: join(home.claude, "projects", "-made-up", `${session}.jsonl`),
    ...fields,
  });
  await succeed({ ...home, project: cwd }, ["hook"], { stdin });
}

/** Waits for two frames after a change of size or colours. */
function settle(page: Page): Promise<unknown> {
  return page.run(() =>
    new Promise<void>((done) =>
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done())), 300)
    )
  );
}

/** Refuses a picture that shows where it was taken. */
function checkPrivate(picture: string, shown: string): void {
  for (const word of [home.root, basename(home.root), tmpdir(), hostname()]) {
    if (shown.includes(word)) throw new Error(`${picture} would show “${word}”:\n${shown}`);
  }
}
