// The view Now in a real browser, by keyboard: what a prompt was given and why, new prompts as they come, and from a
// memory to its text, its editor and its end, and back.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Home, makeHome, PATIENCE, runMemo, warmUp } from "../../support/home.ts";
import { sendHook } from "../../support/send_hook.ts";
import { goTo, inBrowser, openTab } from "./browser.ts";

/** Sends a prompt. */
const send = (home: Home, prompt: string) =>
  sendHook(home, "UserPromptSubmit", { session_id: "s1", prompt, prompt_id: prompt });

const NAME = "Kiln <b>port</b>";
const FILE = `---\nname: "${NAME}"\ndescription: Kiln\ntype: tool\n---\nThe kiln has port 7070.\n`;

inBrowser("why the model got a memory is seen at once, and a few keys set it right", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  const path = home.write("kiln.md", FILE);
  await runMemo(home, ["index"]);
  await warmUp(home);
  await send(home, "which port has the kiln");
  await using page = await openTab();
  await goTo(page, home);

  await page.shows(/which port has the kiln[\s\S]*1 memory added/);
  await page.shows(
    /Added[\s\S]*Kiln <b>port<\/b>[\s\S]*matched on [a-z ]+[\s\S]*\d,\s+needs 0\.\d\d/,
  );
  assert.equal(await page.run(() => location.hash), "", "the token has left the address");

  const chips = await page.run(() =>
    [...document.querySelectorAll<HTMLElement>(".card .tag")].map((
      tag,
    ) => [tag.title, tag.textContent])
  );
  assert.deepEqual(chips, [["Type", "tool"], ["Where it applies", "everywhere"]]);

  await send(home, "ok");
  await page.shows(/2 prompts[\s\S]*ok[\s\S]*1 memory added/); // the newest that asks for something stays
  await page.press("k");
  await page.shows(/Nothing added: the prompt asks for nothing \(too short\)/);

  await page.press("j", "Enter");
  await page.until(() => document.activeElement?.classList.contains("card"));
  await page.press("Enter");
  await page.shows(/The kiln has port 7070\.[\s\S]*Never for prompts like this/);

  await page.press("e");
  await page.until(() => document.activeElement instanceof HTMLTextAreaElement);
  await page.press("Control+End");
  await page.type("And 7071 in production");
  await page.press("Control+Enter");
  await page.shows(/Changed “Kiln <b>port<\/b>”/);
  assert.match(readFileSync(path, "utf8"), /7070\.\n+And 7071 in production/);
  await page.shows(/And 7071 in production/);

  await page.press("f");
  await page.shows(/Forgot “Kiln <b>port<\/b>”/);
  await page.shows(/deleted since/);
  assert.ok(!existsSync(path));
  await page.press("u");
  await page.shows(/Undid/);
  assert.match(readFileSync(path, "utf8"), /7071/);

  await page.press("Escape", "?");
  await page.shows(/Keyboard shortcuts[\s\S]*Undo the last change/);
  await page.press("Escape");
  assert.deepEqual(page.troubles, []);
  const log = await runMemo(home, ["log"]);
  assert.match(log.stdout, /edited[\s\S]*Kiln|Kiln[\s\S]*edited/);

  await runMemo(home, ["daemon", "stop"]);
  await page.shows(/This page is closed[\s\S]*memo ui/);
  assert.equal(existsSync(join(home.memoHome, "run", "page.html")), false);
});

inBrowser("a session's start is rows like any other, and a prompt says what it gave", async () => {
  await using home = makeHome(PATIENCE, { hasModel: true });
  home.write(
    "me.md",
    "---\nname: Small commits\ntype: user\n---\nI like a test in each of them.\n",
  );
  home.write("fence.md", "---\nname: The fence is green\ntype: tool\n---\nThe fence is green\n");
  await runMemo(home, ["index"]);
  await warmUp(home);
  const transcript = join(home.claude, "projects", "-project", "s1.jsonl");
  const session = { session_id: "s1", transcript_path: transcript };
  const { block } = await sendHook(home, "SessionStart.startup", session);
  const [hookName, hookEvent] = ["SessionStart:startup", "SessionStart"];
  home.write(
    relative(home.root, transcript),
    JSON.stringify({
      ...{ type: "attachment", uuid: "u1", parentUuid: null, sessionId: "s1" },
      ...{ isSidechain: false, timestamp: new Date().toISOString(), cwd: home.project },
      attachment: {
        ...{ type: "hook_additional_context", toolUseID: "SessionStart" },
        ...{ hookName, hookEvent, content: [block] },
      },
    }) + "\n",
  );
  const prompt = "split it into small commits";
  const answer = await sendHook(home, "UserPromptSubmit", {
    ...session,
    prompt,
    prompt_id: "p1",
  });
  assert.equal(answer.block, "");
  await using page = await openTab();
  await goTo(page, home);

  await page.shows(/were added at session start/);
  await page.shows(/Small commits[\s\S]*already in this conversation, from session start Show/);
  await page.run(() => document.querySelector<HTMLElement>(".card a")!.click());
  await page.shows(
    /1 memory added, 1 title[\s\S]*in full: every[\s\S]*The fence is green[\s\S]*title only/,
  );
  assert.equal(await page.run(() => document.querySelectorAll(".card").length), 2);
  assert.equal(await page.run(() => document.querySelector(".current .count")!.textContent), "2");
  await page.run(() => history.back());
  await page.shows(/were added at session start/);

  // The first thing that is seen is the last prompt that got something.
  const given = "what colour does the green fence have";
  await sendHook(home, "UserPromptSubmit", { session_id: "s2", prompt: given, prompt_id: "p2" });
  const none = {
    session_id: "s2",
    prompt: "rewrite the invoice parser in Rust",
    prompt_id: "p3",
  };
  assert.equal((await sendHook(home, "UserPromptSubmit", none)).block, "");
  await goTo(page, home);
  await page.until(
    (text) => document.querySelector("article h2")?.textContent?.trim() === text,
    given,
  );
  assert.deepEqual(page.troubles, []);
});
