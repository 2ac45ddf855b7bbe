// With the real Claude Code: a guarded command is asked about or refused before it is executed, also in a subagent and
// when two come at once; every other command runs as it did.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runClaude, withClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE } from "../support/home.ts";
import {
  type MessagesApi,
  type ReplyBlock,
  serveMessagesApi,
  textOf,
} from "../support/messages_api.ts";
import { call, DONE, MODEL, ownOf, prepare } from "./session.ts";

const bash = (command: string): ReplyBlock => call("Bash", { command });

/** A home with a guard on `touch`, which leaves a trace if it is executed. */
async function guarded(...options: string[]): Promise<Home> {
  const home = await withClaude(makeHome(PATIENCE, { hasModel: true }));
  mkdirSync(join(home.project, ".git"));
  const guard = ["guard", "never touch", "--command", "touch", "--path", "gen/", "--yes"];
  const rule = ["add", "Never touch, use the editor", "--type", "feedback"];
  await prepare(home, ["init"], rule, [...guard, ...options]);
  return home;
}

/** A model that makes some calls in its first turn about the work, and has a first prompt before it. */
function calling(...blocks: readonly ReplyBlock[]): Promise<MessagesApi> {
  return serveMessagesApi((request) => {
    const text = JSON.stringify(request.messages);
    return !text.includes("do the work now") || text.includes("tool_result") ? DONE : blocks;
  });
}

/** The results of the calls, as the model got them. */
function results(api: MessagesApi): string {
  const last = ownOf(api).at(-1)!;
  return last.messages.flatMap(({ content }) => typeof content === "string" ? [] : content)
    .filter(({ type }) => type === "tool_result").map((block) => JSON.stringify(block)).join("\n");
}

const PROMPTS = ["please look at the project first", "do the work now"];

Deno.test("a guarded command is asked about where it would have run unasked, in auto mode too, and another is not", async () => {
  for (const args of [["--allowedTools", "Bash"], ["--permission-mode", "auto"]]) {
    await using home = await guarded();
    await using api = await calling(bash("cd . && touch asked.txt"), bash("mkdir free"));
    const { asked } = await runClaude(home, PROMPTS, { api: api.url, model: MODEL, args });
    assert.deepEqual(asked, ["Bash"], args.join(" "));
    assert.ok(existsSync(join(home.project, "asked.txt")), "the user said yes");
    assert.ok(existsSync(join(home.project, "free")));
  }
});

Deno.test("a refused command is not executed, and the model gets the rule as the reason", async () => {
  await using home = await guarded("--deny");
  const file_path = join(home.project, "gen/a.ts");
  await using api = await calling(
    bash("touch one.txt"),
    bash("ls; touch two.txt"),
    call("Write", { file_path, content: "a" }),
    bash("echo touch > free.txt"),
  );
  const args = ["--allowedTools", "Bash,Write"];
  const { asked } = await runClaude(home, PROMPTS, { api: api.url, model: MODEL, args });
  assert.deepEqual(asked, []);
  for (const name of ["one.txt", "two.txt", "gen"]) {
    assert.ok(!existsSync(join(home.project, name)), name);
  }
  assert.ok(existsSync(join(home.project, "free.txt")));
  assert.equal(results(api).split("memo guards your rule: Never touch").length - 1, 3);
});

Deno.test("a shell line of a skill is not run, whether the guard asks or refuses, and the model gets the rule", async () => {
  for (const options of [[], ["--deny"]]) {
    await using home = await guarded(...options);
    const skill = join(home.project, ".claude/skills/maker");
    mkdirSync(skill, { recursive: true });
    const lines = "Made: !`touch made.txt && echo MADE`\nFree: !`mkdir free && echo FREE`\n";
    const head = "---\nname: maker\ndescription: makes\nallowed-tools: Bash(*)\n---\n";
    writeFileSync(join(skill, "SKILL.md"), head + lines);
    await using api = await serveMessagesApi(() => DONE);
    await runClaude(home, [PROMPTS[0]!, "/maker"], { api: api.url, model: MODEL });
    assert.ok(!existsSync(join(home.project, "made.txt")));
    assert.ok(existsSync(join(home.project, "free")));
    const asked = textOf(ownOf(api).at(-1)!, "user");
    assert.match(asked, /Made: \[not run: .*memo guards your rule: Never touch/);
    assert.match(asked, /Free: FREE/);
  }
});

Deno.test("a subagent's command is refused too", async () => {
  await using home = await guarded("--deny");
  let isStarted = false, isCalled = false;
  await using api = await serveMessagesApi((request) => {
    const text = JSON.stringify(request.messages);
    const isOfAgent = text.includes("make the file for me") && !text.includes("do the work now");
    if (isOfAgent) {
      if (isCalled) return DONE;
      isCalled = true;
      return [bash("touch agent.txt; mkdir seen")];
    }
    if (!text.includes("do the work now") || isStarted) return DONE;
    isStarted = true;
    const agent = { prompt: "make the file for me", subagent_type: "general-purpose" };
    return [call("Agent", { ...agent, description: "make", run_in_background: false })];
  });
  const args = ["--allowedTools", "Bash,Write"];
  await runClaude(home, PROMPTS, { api: api.url, model: MODEL, args });
  assert.ok(isCalled);
  assert.ok(
    !existsSync(join(home.project, "agent.txt")) && !existsSync(join(home.project, "seen")),
  );
  assert.ok(
    api.requests.some((request) =>
      JSON.stringify(request.messages).includes("memo guards your rule")
    ),
  );
});
