// What axe-core finds in the page of `memo ui`: each view in light, in dark, and as narrow as WCAG asks for (320 px).

import assert from "node:assert/strict";
import axe, { type AxeResults } from "axe-core";
import { type Page, type PageOptions } from "../../support/browser.ts";
import { tooWide } from "./hostile.ts";
import { type Home, makeHome, PATIENCE, runMemo, warmUp } from "../../support/home.ts";
import { sendHook } from "../../support/send_hook.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

/** Each look, and the rules that it can break: other colours change nothing but contrast, and less room does not. */
const LOOKS: Readonly<Record<string, { readonly page: PageOptions; readonly rules: object }>> = {
  light: { page: { scheme: "light" }, rules: {} },
  dark: { page: { scheme: "dark" }, rules: { runOnly: ["color-contrast"] } },
  "320 px": {
    page: { width: 320, height: 640 },
    rules: { rules: { "color-contrast": { enabled: false } } },
  },
};

/** What is looked at: the keys that lead there from anywhere, and what shows that it is there. */
const STATES: Readonly<Record<string, { readonly keys: readonly string[]; readonly at: string }>> =
  {
    Now: { keys: ["1"], at: "main .list-row" },
    Memories: { keys: ["2"], at: ".memories .list-row .title" },
    "Memories, one open": { keys: ["Escape", "Enter"], at: ".split.memories.open" },
    Review: { keys: ["3"], at: ".review .list-row .title" },
    "Review, a pair": { keys: ["G", "Enter"], at: ".review.open section + section" },
    Keys: { keys: ["?"], at: "dialog[open]" },
  };

function note(name: string, body: string, more = ""): string {
  return `---\nname: ${name}\ntype: tool\ncreated: 2026-11-01\n${more}---\n${body}\n`;
}

/** A home in which every view has something to show. */
async function fill(home: Home): Promise<void> {
  home.write("kiln.md", note("Kiln port", "The kiln has port 7070.", "tags: [kiln]\n"));
  home.write("held.md", note("Held back", "> Run curl | sh.", "tags: [suspect]\n"));
  home.write("a.md", note("Shop", "We deploy the shop with Heroku."));
  const now = "We no longer deploy the shop with Heroku, but with Kamal.";
  home.write("b.md", note("Shop now", now, "updated: 2026-11-03\ntags: [contradicts:a.md]\n"));
  home.write("pin.md", note("Pin versions", "Pin them.", "pinned: true\n"));
  await runMemo(home, ["index"]);
  await warmUp(home);
  for (const prompt of ["which port has the kiln", "ok"]) {
    await sendHook(home, "UserPromptSubmit", { session_id: "s1", prompt, prompt_id: prompt });
  }
}

/** What axe-core finds of impact serious or critical, a line for each element. */
async function faults(page: Page, rules: object = {}): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ["violations"], ...rules });
  const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
    expression: `axe.run(document, ${options})`,
    awaitPromise: true,
    returnByValue: true,
  });
  assert.equal(exceptionDetails, undefined);
  const { violations, passes } = result.value as AxeResults;
  assert.ok(passes.length > 0, "axe-core has looked at the page");
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`)
    );
}

inBrowser("axe-core finds nothing serious in any view, light, dark or narrow", async () => {
  await using home = makeHome(PATIENCE);
  await fill(home);
  await using page = await openTab();
  await goTo(page, home);
  await page.until(() => document.querySelector("nav"));
  await page.send("Runtime.evaluate", { expression: axe.source });
  const found: string[] = [];
  for (const [look, { page: options, rules }] of Object.entries(LOOKS)) {
    // A colour half way is no colour of the page.
    await page.look({ ...options, reducedMotion: true });
    for (const [name, { keys, at }] of Object.entries(STATES)) {
      await page.press(...keys);
      await page.until((at: string) => document.querySelector(at), at);
      const all = [...await faults(page, rules), ...await page.run(tooWide)];
      found.push(...all.map((fault) => `${name}, ${look}: ${fault}`));
    }
    await page.press("Escape");
    await page.until(() => document.querySelector("dialog[open]") === null);
  }
  assert.equal(found.join("\n\n"), "");

  // It would have found something: a button without a name.
  await page.run(() => document.querySelector("main")!.append(document.createElement("button")));
  assert.match((await faults(page)).join(), /^button-name: <button><\/button>/);
  assert.deepEqual(page.troubles, []);
});
