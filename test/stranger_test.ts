// A stranger's walk: an empty home, and nothing but the commands of README.md. They lead to a note in the model's context,
// and every step back leads to the home as it was.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "./support/files.ts";
import { type Home, makeHome, MEMO } from "./support/home.ts";
import { run } from "./support/run.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** The commands of a part of README.md. */
function commandsOf(heading: string): string[] {
  const part = README.split(/^## /m).find((text) => text.startsWith(heading))!;
  return [...part.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block]) => block!.split("\n"))
    .map((line) => line.replace(/\s+# .*$/, "")).filter((line) => line !== "");
}

/** Types a command in the checkout, without a terminal. */
async function type(home: Home, command: string, stdin = ""): Promise<string> {
  const options = { cwd: home.project, env: home.env, stdin };
  const { code, stdout, stderr } = await run("sh", ["-c", command], options);
  assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
  return stdout;
}

/** What a session that starts now has before it, by the hook that the settings name. */
async function contextOf(home: Home): Promise<string> {
  const path = join(home.claude, "settings.json");
  if (!existsSync(path)) return "";
  const { hooks = {} } = JSON.parse(readFileSync(path, "utf8"));
  const hook = hooks["SessionStart"]?.[0]?.hooks[0];
  if (hook === undefined) return "";
  const command = [hook.command, ...hook.args ?? []].join(" ");
  const event = { hook_event_name: "SessionStart", source: "startup", session_id: "stranger" };
  const input = { ...event, cwd: home.project, transcript_path: join(home.root, "none.jsonl") };
  const answer = await type(home, command, JSON.stringify(input));
  return answer === "" ? "" : JSON.parse(answer).hookSpecificOutput?.additionalContext ?? "";
}

Deno.test({
  name: "README.md leads a stranger in four commands to a note in context, and back, i43",
  ignore: process.platform === "win32",
  async fn() {
    const [build, tests, ...more] = commandsOf("Try it");
    assert.match(build!, /^npx -y deno@[\d.]+ task demo$/); // test/tools/demo_test.ts
    assert.match(tests!, /^npx -y deno@[\d.]+ task test$/); // .ci/run
    assert.match(more.join("\n"), /^dist\/memo recall --from \S+CLAUDE\.md/); // test/cli/recall_from_test.ts
    const commands = commandsOf("Install");
    const there = commands.slice(0, 3), back = commands.slice(3);
    assert.equal(1 + there.length, 4);

    await using home = makeHome({}, { isUnpacked: false, hasModel: true });
    symlinkSync(dirname(MEMO), join(home.project, "dist"));
    mkdirSync(join(home.project, ".git"));
    const before = Object.keys(filesIn(home.root)).filter((path) => !path.startsWith("state/"));
    assert.equal(await contextOf(home), "");
    for (const command of there) await type(home, command.replace(/memo init$/, "memo init --yes"));
    assert.match(await contextOf(home), /- Use pnpm, never npm/);

    const [undo, uninstall, remove] = back;
    await type(home, undo!);
    assert.doesNotMatch(await contextOf(home), /Use pnpm/);
    await type(home, uninstall!);
    assert.equal(await contextOf(home), "");
    assert.ok(statSync(join(home.root, ".local/bin/memo")).isFile(), "it is the stranger's copy");
    await type(home, remove!);
    const after = Object.keys(filesIn(home.root)).filter((path) =>
      !path.startsWith("state/") && !isKept(path)
    );
    assert.deepEqual(after, before);
    assert.equal(back.length, 3);
  },
});

/** What stays of notes that were saved: the archive, and the log of changes. */
function isKept(path: string): boolean {
  return path.startsWith(".claude/memory/");
}
