import {
  type Browser,
  HAS_BROWSER,
  type PageOptions,
  startBrowser,
} from "../../support/browser.ts";

let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  if (HAS_BROWSER) browser = await startBrowser();
});
Deno.test.afterAll(async () => await browser?.[Symbol.asyncDispose]());

/** A page of the one browser of these tests, which shares nothing with its other pages. */
export const openTab = (options: PageOptions = {}) => browser!.open(options);
