// Moments through the real executable and its daemon.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fakeClient } from "../support/claude.ts";
import {
  daemonsOf,
  endDaemon,
  type Home,
  makeHome,
  PATIENCE,
  runMemo,
  succeed,
  warmUp,
} from "../support/home.ts";
import { until } from "../support/until.ts";

const CENTS = "Divide only where they are shown";
const FIXTURES = "Start the fixture server with make fixtures";

const memory = (name: string, type: string, body: string) =>
  `---\nname: ${name}\ndescription: ${name}\ntype: ${type}\n---\n${body}.\n`;

/** A home with a repository, and a memory for each kind of moment. */
function furnished(settings: Readonly<Record<string, string>> = {}): Home & { cents: string } {
  const home = makeHome({ ...PATIENCE, ...settings });
  execFileSync("git", ["init", "--quiet"], { cwd: home.project });
  for (const name of ["ledger.ts", "other.ts"]) {
    writeFileSync(join(home.project, name), "export {};\n");
  }
  const cents = home.keep(
    "gotcha_cents.md",
    memory("Amounts in ledger.ts are cents", "gotcha", CENTS),
  );
  home.keep(
    "gotcha_fixtures.md",
    memory("Tests need the fixture server", "gotcha", `They fail with EFIXTURE 7411. ${FIXTURES}`),
  );
  return { ...home, cents };
}

/** What the hook prints for an event, which must end with 0 and say nothing on stderr. */
async function hook(home: Home, fields: object): Promise<string> {
  const stdin = JSON.stringify({ session_id: "s", cwd: home.project, tool_use_id: "t", ...fields });
  const { code, stdout, stderr } = await runMemo(home, ["hook"], { stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

const read = (home: Home, file: string) => ({
  hook_event_name: "PreToolUse",
  tool_name: "Read",
  tool_input: { file_path: join(home.project, file) },
});
const FAILED = {
  hook_event_name: "PostToolUseFailure",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  error: "Exit code 1\nError: EFIXTURE 7411: the server does not answer",
};
const PROMPT = { hook_event_name: "UserPromptSubmit", prompt: "and what about the weather there?" };

/** The kinds of moments that the hook asks the daemon for, once they are as expected. */
async function marked(home: Home, expected: readonly string[]): Promise<void> {
  const folder = join(home.memoHome, "moments");
  const kinds = () =>
    existsSync(folder) ? readdirSync(folder).map((name) => name.split(".")[1]!).sort() : [];
  await until(`the hook asks for ${expected}`, () => kinds().join() === expected.join());
}

async function start(home: Home): Promise<void> {
  await warmUp(home);
  await hook(home, { hook_event_name: "SessionStart", source: "startup" });
}

Deno.test("where nothing is anchored a hook answers by itself: no daemon is asked, and none is started", async () => {
  await using home = furnished();
  assert.equal(await hook(home, read(home, "ledger.ts")), "");
  assert.equal(await hook(home, FAILED), "{}\n");
  await sleep(300);
  assert.deepEqual(daemonsOf(home.memoHome), []);
});

Deno.test("a file brings the memory that names it once, also to each subagent, and other files nothing", async () => {
  await using home = furnished();
  await start(home);
  await marked(home, ["error", "file"]);
  assert.equal(await hook(home, read(home, "other.ts")), "");
  assert.match(await hook(home, read(home, "ledger.ts")), /Divide only where they are shown/);
  assert.equal(await hook(home, read(home, "ledger.ts")), "");
  const inside = { agent_id: "a1", agent_type: "general-purpose" };
  assert.match(await hook(home, { ...read(home, "ledger.ts"), ...inside }), /Divide only/);
  assert.equal(await hook(home, { ...read(home, "ledger.ts"), ...inside }), "");
  assert.match(
    await hook(home, { ...read(home, "ledger.ts"), ...inside, agent_id: "a2" }),
    /Divide only/,
  );
  const once = await Promise.all(
    [1, 2, 3].map(() => hook(home, { ...read(home, "ledger.ts"), session_id: "at once" })),
  );
  assert.equal(once.filter((text) => text.includes(CENTS)).length, 1);
  const { stdout } = await runMemo(home, ["recall", "--log", "--json"]);
  const given = JSON.parse(stdout).filter(({ event }: { event: string }) => event === "PreToolUse");
  assert.equal(given.length, 4);

  // Cleared, the conversation has lost it.
  await hook(home, { hook_event_name: "SessionStart", source: "clear" });
  assert.match(await hook(home, read(home, "ledger.ts")), /Divide only/);

  rmSync(home.cents);
  await hook(home, PROMPT);
  await marked(home, ["error"]);
  assert.equal(await hook(home, { ...read(home, "ledger.ts"), session_id: "later" }), "");
});

Deno.test("an error brings the memory that knows it, and what the user has stopped brings none", async () => {
  await using home = furnished();
  await start(home);
  await marked(home, ["error", "file"]);
  assert.equal(await hook(home, { ...FAILED, is_interrupt: true }), "{}\n");
  assert.equal(await hook(home, { ...FAILED, error: "Exit code 1" }), "{}\n");
  assert.equal(
    await hook(home, { ...FAILED, error: "Exit code 1\nerror: no such option: --frob" }),
    "{}\n",
  );
  const text = await hook(home, FAILED);
  assert.match(
    text,
    /"hookEventName":"PostToolUseFailure","additionalContext":"<auto-loaded-memory>/,
  );
  assert.ok(text.includes(FIXTURES));
  assert.equal(await hook(home, FAILED), "{}\n");
});

Deno.test("a daemon that has been killed costs the entry and nothing else, and the next read finds another", async () => {
  await using home = furnished();
  await start(home);
  await marked(home, ["error", "file"]);
  await endDaemon(home.memoHome, "SIGKILL");
  assert.equal(await hook(home, read(home, "ledger.ts")), "");
  await warmUp(home);
  const text = await until("an entry", () => hook(home, read(home, "ledger.ts")));
  assert.ok(text.includes(CENTS));
});

for (const [moments, kinds] of [["errors", ["error"]], ["off", []]] as const) {
  Deno.test(`with recall.moments=${moments} the hook asks for ${kinds.join() || "nothing"}`, async () => {
    await using home = furnished({ MEMO_RECALL_MOMENTS: moments });
    await start(home);
    await hook(home, PROMPT);
    await marked(home, kinds);
    assert.equal(await hook(home, read(home, "ledger.ts")), "");
    assert.equal((await hook(home, FAILED)).includes(FIXTURES), moments === "errors");
  });
}

Deno.test("memo config set recall.moments installs and removes the hooks", async () => {
  await using home = makeHome();
  const matchers = () => {
    const { hooks } = JSON.parse(readFileSync(join(home.claude, "settings.json"), "utf8"));
    return [/\bRead\b/.test(hooks.PreToolUse[0].matcher), hooks.PostToolUseFailure !== undefined];
  };
  const known = fakeClient(home, "2.1.329");
  const set = async (value: string) => {
    await succeed(known, ["config", "set", `recall.moments=${value}`]);
    return matchers();
  };
  await succeed(known, ["init"]);
  assert.deepEqual(matchers(), [true, true]);
  assert.deepEqual(await set("errors"), [false, true]);
  assert.deepEqual(await set("off"), [false, false]);
  assert.deepEqual(await set("all"), [true, true]);
});
