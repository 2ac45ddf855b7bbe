// What strangers have written, in every view and in the narrowest window: a store that somebody else has written into
// wherever memo lets text in, with markup that would run, characters that turn a line around, words without an end, and a
// file of a megabyte.

import assert from "node:assert/strict";
import { type Home, makeHome, PATIENCE, runMemo, warmUp } from "../../support/home.ts";
import { sendHook } from "../../support/send_hook.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

/** What runs wherever it becomes markup, and hides or turns around what comes after it. */
const EVIL =
  `<script>pwned=1</script><img src=x onerror="pwned=2"><svg onload=pwned=3></svg></textarea></pre>` +
  `{{pwned=4}} javascript:pwned=5 \u202egnp.exe\u2066 \u0007`;
const ENDLESS = "W".repeat(300);
/** In lines that cannot be broken; they have hardly a token, so that embedding them takes a second and not thirty. */
const MEGABYTE = `${EVIL}\n${ENDLESS}\n${`- ${"\u00a0".repeat(150)}-\n`.repeat(3500)}`;

function memory(name: string, body: string, tags: readonly string[] = []): string {
  const fields = {
    ...{ name, description: `${EVIL} ${ENDLESS}`, type: "tool", tags },
    ...{ created: "2026-11-01", triggers: [EVIL] },
  };
  const head = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${head.join("\n")}\n---\n${body}\n`;
}

/** Fills a home, so that every view and every list of Review has something of it. */
async function fillHostile(home: Home): Promise<void> {
  home.write("kiln.md", memory(`Kiln port ${EVIL}`, `The kiln has port 7070. ${EVIL}\n${ENDLESS}`));
  home.write("long.md", memory(`Megabyte ${ENDLESS}`, MEGABYTE, [EVIL.slice(0, 60), ENDLESS]));
  home.write("held.md", memory(`Held ${EVIL}`, `${EVIL}\n${ENDLESS}`, ["suspect"]));
  const pair = {
    3: "Use pnpm for the packages.",
    4: "No longer use pnpm for the packages, but npm.",
  };
  for (const [day, text] of Object.entries(pair)) {
    const name = `Packages ${day} ${EVIL}`;
    const against = day === "4" ? ["contradicts:pair3.md"] : [];
    const dated = memory(name, `${text} ${EVIL} ${ENDLESS}`, against);
    home.write(`pair${day}.md`, dated.replace("2026-11-01", `2026-11-0${day}`));
  }
  home.write("read.md", memory(`Read ${EVIL}`, `${EVIL}\n${ENDLESS}`, ["read-web"]));
  home.write("rule.md", memory(`Rule ${EVIL} ${ENDLESS}`, EVIL));
  await runMemo(home, ["index"]);
  await warmUp(home);
  for (const prompt of [`which port has the kiln ${EVIL}`, `use the kiln ${ENDLESS}`]) {
    await sendHook(home, "UserPromptSubmit", { session_id: EVIL, prompt, prompt_id: prompt });
  }
}

/** What is looked at: the keys that lead there from the state before, and what shows that it is there. */
const STATES: Readonly<
  Record<string, { readonly keys: readonly string[]; readonly at: string }>
> = {
  Now: { keys: ["1"], at: "main .list-row" },
  "Now, a prompt": { keys: ["G", "Enter"], at: ".split.open .card:focus" },
  "Now, a memory's text": { keys: ["Enter"], at: ".card.open pre.text:not([aria-busy=true])" },
  "Now, its editor": { keys: ["e"], at: "dialog[open] textarea:not(:disabled)" },
  Memories: { keys: ["Escape", "Escape", "2"], at: ".memories .list-row .title" },
  "Memories, one open": { keys: ["Escape", "g", "Enter"], at: ".split.memories.open .note-text" },
  "Memories, the last one": {
    keys: ["Escape", "G", "Enter"],
    at: ".split.memories.open .note-text",
  },
  Review: { keys: ["Escape", "Escape", "3"], at: ".review .list-row .title" },
  "Review, held back": { keys: ["g", "Enter"], at: ".split.review.open .note-text" },
  "Review, not confirmed": { keys: ["j"], at: ".split.review.open .note-text" },
  "Review, a pair": { keys: ["j"], at: ".split.review.open section + section .note-text" },
  Keys: { keys: ["?"], at: "dialog[open] .keys" },
};

/** What is wider than its place: it scrolls sideways, or stands out of the window. */
export function tooWide(): string[] {
  const width = document.documentElement.clientWidth;
  const found: string[] = [];
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${
      element.textContent?.trim().slice(0, 30)
    }”`;
  if (document.documentElement.scrollWidth > width) found.push("the page");
  for (const element of document.querySelectorAll("body *")) {
    const { left, right, width: own } = element.getBoundingClientRect();
    if (own === 0 || element.closest(".unseen, .skip, svg") !== null) continue;
    const isScrolling = ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
      element.scrollWidth > element.clientWidth + 1;
    if (isScrolling) found.push(`scrolls: ${name(element)} ${element.scrollWidth}`);
    if (right <= width + 1 && left >= -1) continue;
    // What a box cuts off, with dots or without, is not seen out there.
    let box = element.parentElement;
    while (box !== null && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
    if (box === null || box === document.body) found.push(`out: ${name(element)} ${left} ${right}`);
  }
  return found;
}

/** What markup would have left. */
const run = () => ({
  pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
  elements:
    document.querySelectorAll("script:not([src]), main img, dialog img, [onload], [onerror]")
      .length,
});

inBrowser("a hostile store does not run, turn a line around, block or widen a view", async () => {
  await using home = makeHome(PATIENCE);
  await fillHostile(home);
  await using page = await openTab({ width: 320, height: 640 });
  await goTo(page, home);
  await page.until(() => document.querySelector("main .list-row"));
  const wide: string[] = [];
  for (const [name, { keys, at }] of Object.entries(STATES)) {
    for (const key of keys) await page.press(key);
    await page.until((at: string) => document.querySelector(at), at);
    assert.deepEqual(await page.run(run), { pwned: null, elements: 0 }, name);
    assert.doesNotMatch(await page.text(), /[\u202e\u2066]/, name);
    wide.push(...(await page.run(tooWide)).map((what) => `${name}: ${what}`));
  }
  assert.deepEqual(wide, []);
  assert.deepEqual(page.troubles, []);
});
