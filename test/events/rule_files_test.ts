// The rules of a monorepo, from its files to the model: not what Claude Code reads itself, and each where it applies.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import { sendHook } from "../support/send_hook.ts";
import { layFiles } from "../support/temp.ts";
import { until } from "../support/until.ts";

const PNPM = "Use pnpm for every package, never npm";
const AXIOS = "Never call a service with axios, use the api client";
const FETCH = "Never call a service with fetch, use the web client";

async function monorepo(): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel: true });
  execFileSync("git", ["init", "--quiet"], { cwd: home.project });
  layFiles(home.project, {
    "CLAUDE.md": `- ${PNPM}\n`,
    "packages/api/AGENTS.md": `- ${AXIOS}\n`,
    "packages/api/src/user.ts": "export {};\n",
    "packages/web/AGENTS.md": `- ${FETCH}\n`,
  });
  await succeed(home, ["import", "rules", "--yes"]);
  await succeed(home, ["trust", "--yes"]);
  await warmUp(home);
  return home;
}

Deno.test("a start does not list what Claude Code reads in CLAUDE.md, which a prompt may bring; another agent has read nothing", async () => {
  await using home = await monorepo();
  const start = async (session_id: string, folder: string, cwd = home.project) => {
    const transcript_path = join(folder, `${session_id}.jsonl`);
    const { block } = await sendHook(home, "SessionStart.startup", {
      ...{ session_id, cwd, transcript_path },
    });
    return block.match(/^- .*/gm) ?? [];
  };
  const projects = join(home.claude, "projects", "p");
  const api = `- ${AXIOS} [for packages/api/**]`, web = `- ${FETCH} [for packages/web/**]`;
  assert.deepEqual((await start("s1", projects)).toSorted(), [api, web]);
  assert.deepEqual((await start("s2", join(home.root, ".codex"))).toSorted(), [
    api,
    web,
    `- ${PNPM}`,
  ]);
  const inWeb = join(home.project, "packages", "web");
  assert.deepEqual(await start("s3", projects, inWeb), [web, api], "first where it is");
  const prompt = "which package manager do we use for every package, pnpm or npm?";
  const { block } = await sendHook(home, "UserPromptSubmit", {
    ...{ session_id: "s1", prompt, transcript_path: join(projects, "s1.jsonl") },
  });
  assert.match(block, new RegExp(PNPM));
});

Deno.test("the rule of a folder comes with a prompt that is given there, and with a file that is read there", async () => {
  await using home = await monorepo();
  const prompt = "how do I call a service here, with which client?";
  for (const [name, own, other] of [["api", AXIOS, FETCH], ["web", FETCH, AXIOS]] as const) {
    const cwd = join(home.project, "packages", name);
    const { block } = await sendHook(home, "UserPromptSubmit", { session_id: name, prompt, cwd });
    assert.ok(block.includes(own) && !block.includes(other), `${name}: ${block}`);
  }
  const marks = join(home.memoHome, "moments");
  mkdirSync(marks, { recursive: true });
  await until(
    "the hook asks at a file",
    () => readdirSync(marks).filter((name) => name.endsWith(".file")).length === 2,
  );
  const cwd = join(home.project, "packages", "api");
  const file_path = join(cwd, "src", "user.ts");
  const { block } = await sendHook(home, "PreToolUse.Read", {
    ...{ session_id: "reads", cwd, tool_name: "Read", tool_input: { file_path } },
  });
  assert.match(block, /applies to this file/);
  assert.ok(block.includes(AXIOS) && !block.includes(FETCH), block);
});
