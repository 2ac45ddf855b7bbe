// Which project a session of the real Claude Code belongs to: a linked work tree is the repository's, and the model that
// changes folders has not changed projects.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runClaude } from "../support/claude.ts";
import { type Home, makeHome, PATIENCE, succeed, warmUp } from "../support/home.ts";
import {
  isMemos,
  type MessagesApi,
  type ReplyBlock,
  serveMessagesApi,
  textOf,
} from "../support/messages_api.ts";
import { linkWorktree } from "../support/worktree.ts";

const MODEL = "claude-sonnet-5-5";
const ANSWER: readonly ReplyBlock[] = [{ type: "text", text: "The scripted answer." }];
const PORT = "The staging database listens on port 6543 behind the bastion";
const QUESTION = "which port does the staging database listen on?";

const TYPE = ["--type", "reference", "--scope", "project"] as const;

/** The home as seen from another folder. */
const at = (home: Home, project: string): Home => ({ ...home, project });

/** A home whose project is a repository with a private memory, which answers `QUESTION`. */
async function makeRepository(): Promise<Home> {
  const home = makeHome(PATIENCE, { hasModel: true });
  mkdirSync(join(home.project, ".git"));
  for (
    const args of [
      ["init"],
      [
        "add",
        PORT,
        "--name",
        "Staging database",
        "--description",
        "How staging is reached",
        ...TYPE,
      ],
      ["index"],
    ]
  ) {
    await succeed(home, args);
  }
  await warmUp(home);
  return home;
}

/** Whether the last prompt was given the memory's body, of which a session's start has the title alone. */
function isGiven({ requests }: MessagesApi): boolean {
  const { messages } = requests.findLast((request) => !isMemos(request))!;
  const asked = messages.findLastIndex((message) => JSON.stringify(message).includes(QUESTION));
  const text = textOf({ messages: messages.slice(asked) }, "system");
  return /UserPromptSubmit hook additional context: <auto-loaded-memory/.test(text) &&
    text.includes(PORT);
}

Deno.test("a linked work tree gets the private memories of its repository, and another repository does not", async () => {
  await using home = await makeRepository();
  const tree = join(home.root, "trees", "fix");
  linkWorktree(join(home.project, ".git"), tree);
  const other = join(home.root, "other");
  mkdirSync(join(other, ".git"), { recursive: true });
  await using api = await serveMessagesApi(() => ANSWER);
  for (const [folder, wanted] of [[tree, true], [other, false]] as const) {
    await runClaude(at(home, folder), [QUESTION], { api: api.url, model: MODEL });
    assert.equal(isGiven(api), wanted, folder);
  }
});

Deno.test("a model that changes to a nested repository keeps the project's memories", async () => {
  await using home = await makeRepository();
  const nested = join(home.project, "vendor", "lib");
  mkdirSync(join(nested, ".git"), { recursive: true });
  mkdirSync(join(nested, ".claude", "memory"), { recursive: true });
  let cwd = "";
  await using api = await serveMessagesApi((request) => {
    const everything = JSON.stringify(request.messages);
    cwd = /"content":"([^"]*vendor\/lib)/.exec(everything)?.[1] ?? cwd;
    return everything.includes("tool_use_id")
      ? ANSWER
      : [{ type: "tool_use", name: "Bash", input: { command: "cd vendor/lib && pwd" } }];
  });
  await runClaude(home, ["please look into the library", QUESTION], { api: api.url, model: MODEL });
  assert.equal(cwd, nested, "the model has changed folders");
  assert.ok(isGiven(api));
});
