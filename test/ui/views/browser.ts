import {
  type Browser,
  HAS_BROWSER,
  type Page,
  type PageOptions,
  startBrowser,
} from "../../support/browser.ts";
import { type Home, succeed } from "../../support/home.ts";

let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  if (HAS_BROWSER) browser = await startBrowser();
});
Deno.test.afterAll(async () => await browser?.[Symbol.asyncDispose]());

/** A page of the one browser of these tests, which shares nothing with its other pages. */
export const openTab = (options: PageOptions = {}) => browser!.open(options);

/** A test that takes a browser. */
export function inBrowser(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_BROWSER, fn });
}

/** Has the page of a home opened in a tab. */
export async function goTo(page: Page, home: Home): Promise<void> {
  await page.go((await succeed(home, ["ui", "--no-open"])).trim());
}
