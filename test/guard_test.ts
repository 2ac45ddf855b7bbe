// Guards through the executable: from a rule's words to a person's yes, and what the hook answers then.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFixture } from "./support/fixtures.ts";
import { type Home, makeHome, PATIENCE, runMemo, succeed, warmUp } from "./support/home.ts";
import { askHook, sendHook } from "./support/send_hook.ts";
import { pathsFor } from "../src/paths.ts";
import { until } from "./support/until.ts";

const RULE = "Never force-push; add a commit instead";

/** A home with a rule, whose project is a repository. */
async function makeRuled(): Promise<Home> {
  const home = makeHome(PATIENCE);
  mkdirSync(join(home.project, ".git"));
  await succeed(home, ["init"]);
  home.keep("feedback_never-force-push.md", `---\nname: ${RULE}\ntype: feedback\n---\n${RULE}\n`);
  return home;
}

const memo = async (home: Home, ...args: string[]) => {
  const { code, stdout, stderr } = await runMemo(home, args);
  return { code, text: stdout + stderr };
};

/** Waits until the daemon has told the hook whether the project has a guard, which it does after its answer. */
async function marked({ env }: Home): Promise<void> {
  const { guards, moments } = pathsFor(env);
  const isGuarded = existsSync(guards) && readFileSync(guards, "utf8").includes('"mode"');
  await until("the hook was told", () => {
    const isMarked = existsSync(moments) &&
      readdirSync(moments).some((name) => name.endsWith(".guard"));
    return isMarked === isGuarded;
  });
}

/** What the hook answers about a command, once a prompt has told it what the project has. */
async function asked(home: Home, command: string): Promise<string> {
  return await askedOf(home, { tool_input: { command } });
}

/** The same of any call. */
async function askedOf(home: Home, call: object, event = "PreToolUse.Bash"): Promise<string> {
  const session_id = crypto.randomUUID();
  await askHook(home, "please publish the branch of the calendar", session_id);
  await marked(home);
  const { stdout } = await sendHook(home, event, { session_id, ...call });
  if (stdout === "") return "let through";
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  return `${permissionDecision}: ${permissionDecisionReason}`;
}

Deno.test("a rule becomes a guard with the user's yes alone, and is asked about by the hook", async () => {
  await using home = await makeRuled();
  await warmUp(home);
  const shown = await memo(home, "guard", "never force-push");
  assert.match(
    shown.text,
    /asks before +git push --force\n +git push --force-with-lease[^]*hint: Add `--yes` to switch/,
  );
  assert.equal(await asked(home, "git push -f"), "let through");

  const fromClaude = await runMemo({ ...home, env: { ...home.env, CLAUDECODE: "1" } }, [
    ...["guard", "never force-push", "--yes"],
  ]);
  assert.deepEqual([fromClaude.code, /only you can/.test(fromClaude.stderr)], [2, true]);

  const on = await memo(home, "guard", "never force-push", "--yes");
  assert.equal(on.code, 0, on.text);
  assert.match(on.text, /Claude Code asks you from the next prompt on/);
  const { guards } = pathsFor(home.env);
  assert.equal(statSync(guards).mode & 0o777, 0o600);
  const settings = readFileSync(join(home.env["CLAUDE_CONFIG_DIR"]!, "settings.json"), "utf8");
  assert.match(settings, /"\^\(\?:[^"]*Bash\|[^"]*Edit/);
  const said = /^ask: memo guards your rule: Never force-push/;
  assert.match(await asked(home, "cd x && git push -f"), said);
  assert.equal(await asked(home, "git push && echo 'git push -f'"), "let through");
  const ofSkill = (command: string) =>
    askedOf(home, { tool_input: { command } }, "PreSkillShellCommand");
  assert.match(await ofSkill("git push -f"), said);
  assert.equal(await ofSkill("git push"), "let through");
  assert.match((await memo(home, "guard")).text, /^ask +Never force-push/);
  assert.match((await memo(home, "guard", "--try", "git push -f")).text, /^ask: git push --force/);
  assert.equal((await memo(home, "guard", "--try", "git push")).code, 1);
  assert.match((await memo(home, "recall", "--log")).text, /PreToolUse +hit/);

  await memo(home, "guard", "never force-push", "--deny", "--yes");
  assert.match(await asked(home, "git push --force"), /^deny: /);

  assert.equal((await memo(home, "guard", "never force-push", "--off")).code, 0);
  assert.equal(await asked(home, "git push -f"), "let through");
});

Deno.test("a guard of a folder also stops an MCP server's tool that changes a file in it", async () => {
  await using home = await makeRuled();
  await warmUp(home);
  await memo(home, "guard", "never force-push", "--path", "gen/", "--yes");
  const settings = readFileSync(join(home.env["CLAUDE_CONFIG_DIR"]!, "settings.json"), "utf8");
  const [{ matcher }] = JSON.parse(settings).hooks.PreToolUse;
  const call = (tool_name: string, path: string) =>
    askedOf(home, { tool_name, tool_input: { path: join(home.project, path), content: "x" } });
  assert.match("mcp__fs__write_file", new RegExp(matcher));
  assert.match(await call("mcp__fs__write_file", "gen/a.ts"), /^ask: /);
  assert.equal(await call("mcp__fs__write_file", "src/a.ts"), "let through");
  assert.equal(await call("mcp__fs__read_file", "gen/a.ts"), "let through");
});

Deno.test("a guard ends with its rule: changed, forgotten, or of a repository that is not trusted", async () => {
  await using home = await makeRuled();
  await memo(home, "guard", "never force-push", "--yes");
  const list = async () => (await memo(home, "guard")).text;
  const path = JSON.parse((await runMemo(home, ["list", "--json"])).stdout)[0].path as string;
  const text = readFileSync(path, "utf8");
  const stops = async () => (await memo(home, "guard", "--try", "git push -f")).code === 0;
  assert.ok(await stops());

  await memo(home, "edit", "--pin", "never force-push");
  assert.ok(await stops(), "a pin does not change the rule");
  writeFileSync(path, text.replace("add a commit", "ask Paul"));
  assert.ok(!await stops());
  assert.match(await list(), /off: its memory has changed/);
  await memo(home, "guard", "never force-push", "--yes");
  assert.ok(await stops());

  await memo(home, "forget", "never force-push");
  assert.ok(!await stops());
  assert.match(await list(), /off: its memory is deleted/);
  assert.equal((await memo(home, "guard", path.split("/").at(-1)!, "--off")).code, 0);
  assert.doesNotMatch(await list(), /deleted/);

  const rule = "---\ntype: feedback\nname: Never use npm\n---\nNever.\n";
  home.write("project/.claude/memory/rule.md", rule);
  const refused = await memo(home, "guard", "never use npm", "--yes");
  assert.equal(refused.code, 2);
  assert.match(refused.text, /you have not trusted\n\nhint: Run `memo trust` first/);
  assert.doesNotMatch(await list(), /Never use npm/);
  await memo(home, "trust", "--yes");
  assert.equal((await memo(home, "guard", "never use npm", "--yes")).code, 0);
  assert.equal((await memo(home, "guard", "--try", "npm ci")).code, 0);
  await memo(home, "trust", "--revoke");
  assert.equal((await memo(home, "guard", "--try", "npm ci")).code, 1);
});

Deno.test("memo guard tries a rule on the commands of past sessions", async () => {
  await using home = await makeRuled();
  const line = (command: string, n: number) =>
    JSON.stringify({
      ...{ type: "assistant", uuid: `u${n}`, sessionId: "s1", cwd: home.project },
      timestamp: `2026-11-2${n}T10:00:00Z`,
      message: {
        ...{ id: `m${n}`, role: "assistant" },
        content: [{ type: "tool_use", id: `t${n}`, name: "Bash", input: { command } }],
      },
    }) + "\n";
  const folder = join(home.env["CLAUDE_CONFIG_DIR"]!, "projects", "x");
  mkdirSync(folder, { recursive: true });
  const commands = ["git status", "git push origin +main", "echo git push -f"];
  writeFileSync(join(folder, "s1.jsonl"), commands.map(line).join(""));
  const { trial } = JSON.parse((await runMemo(home, ["guard", "never force", "--json"])).stdout);
  assert.deepEqual(trial, {
    sessions: 1,
    calls: 3,
    stopped: [{ session: "s1", at: "2026-11-21T10:00:00.000Z", call: "git push origin +main" }],
  });
  assert.match((await memo(home, "guard", "never force")).text, /have stopped 1 of 3 commands/);
});

Deno.test("memo guard says what is wrong, and never overwrites a damaged file", async () => {
  await using home = await makeRuled();
  await memo(home, "add", "Amounts are integer cents", "--type", "feedback");
  const none = await memo(home, "guard", "amounts");
  assert.deepEqual([none.code, /which command or file it forbids/.test(none.text)], [1, true]);
  assert.equal((await memo(home, "guard", "amounts", "--path", "src/money/", "--yes")).code, 0);
  assert.match((await memo(home, "guard", "amounts", "--path", "/")).text, /it is too broad/);
  assert.match((await memo(home, "guard", "--yes")).text, /without its rule's name/);
  assert.match((await memo(home, "guard", "never force", "--off")).text, /there is none/);

  const { guards } = pathsFor(home.env);
  writeFileSync(guards, "{");
  const damaged = await memo(home, "guard", "never force", "--yes");
  assert.deepEqual([damaged.code, /Cannot write `.*guards\.json`/.test(damaged.text)], [2, true]);
  assert.equal(readFileSync(guards, "utf8"), "{");
  assert.equal((await memo(home, "guard", "--try", "git push -f")).code, 1);
});

Deno.test("without a daemon a guarded command is let through, and without hooks memo guard says so", async () => {
  await using home = makeHome(PATIENCE);
  await memo(home, "add", RULE, "--type", "feedback");
  const unheard = await memo(home, "guard", "never force-push", "--yes");
  assert.equal(unheard.code, 0);
  assert.match(unheard.text, /warning: The guard is on but does nothing yet: .* run `memo init`/);
  const { text } = await memo(home, "guard");
  assert.match(text, /^- +Never force-push.*\n?warning: Guards do nothing here: .*memo init/);
  const { guards: [dead] } = JSON.parse((await runMemo(home, ["guard", "--json"])).stdout);
  assert.equal(dead.state, "unheard");
  await memo(home, "init", "--hooks", "yes", "--check", "no"); // which waits for vectors
  await warmUp(home);
  assert.match(await asked(home, "git push -f"), /^ask: /);

  await memo(home, "daemon", "stop");
  const stdin = JSON.stringify({
    ...{ ...readFixture("PreToolUse.Bash"), cwd: home.project },
    tool_input: { command: "git push -f" },
  });
  const { code, stdout, stderr } = await runMemo(home, ["hook"], { stdin });
  assert.deepEqual([code, stdout, stderr], [0, "", ""]);
});

Deno.test("commands and edits are heard from the start, in every form, before a guard is on", async () => {
  await using home = makeHome(PATIENCE);
  const heard = (path: string) => /Bash\|[^"]*NotebookEdit/.test(readFileSync(path, "utf8"));
  assert.equal((await memo(home, "init")).code, 0);
  assert.ok(heard(join(home.claude, "settings.json")));
  assert.equal((await memo(home, "config", "set", "recall.moments=off")).code, 0);
  assert.ok(heard(join(home.claude, "settings.json")), "a guard is no recall");
  assert.equal((await memo(home, "init", "--plugin")).code, 0);
  assert.ok(heard(join(home.claude, "skills/memo/hooks/hooks.json")));
  assert.ok(heard(fileURLToPath(new URL("../plugin/hooks/hooks.json", import.meta.url))));
});
