// A conversation in another client leaves its memories once, whatever hooks say it has ended, and the next client has them:
// recorded sessions and events of the real programs, the real executable and its daemon, and a loopback model.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { readJobs } from "../../src/core/capture/queue.ts";
import { parseMemory } from "../../src/core/memory/file.ts";
import { MEMORY, serveReplies, useModel } from "../capture/support.ts";
import {
  answerTo,
  placeSession,
  recorded,
  recordingOf,
  STORED,
} from "../support/agent_sessions.ts";
import { type Home, makeHome, PATIENCE, runMemo } from "../support/home.ts";
import { until } from "../support/until.ts";

/** Where a client writes its session, and the events after a turn and at the session's end. */
const CLIENTS = {
  codex: {
    path:
      ".codex/sessions/2026/11/23/rollout-2026-11-23T15-55-54-01a2091e-f815-7783-b049-0f12bb905854.jsonl",
    ends: ["codex.Stop", "codex.SessionEnd"],
  },
  gemini: {
    path: ".gemini/tmp/shop/chats/session-2026-11-23T15-57-682eba46.jsonl",
    ends: ["gemini.AfterAgent", "gemini.SessionEnd"],
  },
  qwen: {
    path: ".qwen/projects/-home-dev-shop/chats/4114117e-3749-40a7-88ce-b5892a02973f.jsonl",
    ends: ["qwen.Stop", "qwen.SessionEnd"],
  },
  copilot: {
    path: ".copilot/session-state/a1c8d87c-98d1-47d5-b2dc-db27481f61b9/events.jsonl",
    ends: ["copilot.Stop", "copilot.SessionEnd"],
  },
  opencode: {
    path: ".local/share/opencode/opencode.db",
    ends: ["opencode.Stop", "opencode.UserPromptSubmit"],
  },
  kilo: { path: ".local/share/kilo/kilo.db", ends: ["opencode.Stop", "opencode.UserPromptSubmit"] },
} as const;

/** A home that asks a loopback model. */
function homeFor(
  { url }: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
): Home {
  const home = makeHome(env);
  useModel(home, { url });
  return home;
}

/** Puts the recorded session of three turns where a client writes it. */
function place(home: Home, agent: keyof typeof CLIENTS): string {
  const edit = (text: string) => text.replaceAll("/home/dev/shop", home.project);
  const path = join(home.root, CLIENTS[agent].path);
  return placeSession(path, agent, { session: "three-turns", edit });
}

for (const [name, { path, ends }] of Object.entries(CLIENTS)) {
  const agent = name as keyof typeof CLIENTS;
  Deno.test(`a conversation in ${agent} leaves its memory, once, and the next session has it`, async () => {
    const memory = {
      ...MEMORY,
      body: "In this repository use pnpm, don't use npm.",
      triggers: ["install a package", "add a dependency", "run the tests", "which package manager"],
      turn: 3,
    };
    const journal = [1, 2, 3].map((turn) => ({ turn, bullets: ["Spoke of the shop"] }));
    await using api = await serveReplies({ journal, memories: [memory] });
    await using home = homeFor(api, PATIENCE);
    const recording = recordingOf(agent, "three-turns");
    const session = STORED[agent]?.["three-turns"] ??
      /"(?:sessionId|session_id)":"([^"]+)"/.exec(recording)![1]!;
    const transcript = join(home.root, path, ...agent in STORED ? [session] : []);
    const send = (event: string) => {
      const [, name] = event.split("."), isQwens = name === "SessionEnd" && agent === "qwen";
      return answerTo(home, isQwens ? "qwen.Stop" : event, {
        ...{ agent, session_id: session, ...isQwens && { hook_event_name: name, reason: "other" } },
        ...!(agent in STORED) && { transcript_path: transcript },
      });
    };
    const waiting = () => readJobs(join(home.memoHome, "capture")).length;

    assert.equal((await runMemo(home, ["init", "--agent", agent])).code, 0); // starts the daemon
    await send(ends[0]); // before the file is there, as Copilot does
    assert.equal(place(home, agent), transcript);
    const past = new Date("2026-11-23"); // before the hooks were there: doctor asks no trust of Codex for them
    utimesSync(join(home.root, path), past, past);
    for (const event of ends) await send(event);
    await until("it is captured", () => waiting() === 0);
    const written = () =>
      readdirSync(home.privately).filter((name) => name.startsWith("feedback_"));
    assert.deepEqual(written(), ["feedback_use-pnpm-never-npm.md"]);
    const { source } = parseMemory(readFileSync(join(home.privately, written()[0]!), "utf8"), {
      fallbackName: "",
    }).memory;
    assert.deepEqual([source?.session, source?.transcript], [session, transcript]);

    const asked = () =>
      api.requests.filter((request) => JSON.stringify(request).includes("use npm here: this"));
    assert.equal(asked().length, 1);
    for (const event of ends) await send(event);
    await until("nothing waits", () => waiting() === 0);
    assert.equal(asked().length, 1, "nobody is asked about it again");
    const sent = JSON.stringify(api.requests);
    assert.match(sent, /integer cents[^]*don't use npm here/);
    assert.doesNotMatch(sent, /auto-loaded-memory/);

    const { stdout: examined } = await runMemo(home, ["doctor", "--offline", "--json"]);
    const checks: { name: string; detail: string }[] = JSON.parse(examined);
    assert.match(checks.find(({ name }) => name === "agents")!.detail, /last captured 20\d\d-/);

    const shown = await runMemo(home, ["show", "--source", written()[0]!.replace(".md", "")]);
    assert.match(shown.stdout, /don't use npm here/, shown.stderr);

    const prompt = { session_id: "next", prompt: "install lodash with npm" };
    const answer = await answerTo(home, "codex.UserPromptSubmit", prompt);
    assert.match(JSON.stringify(answer), /use pnpm, don't use npm/);
  });
}

Deno.test("memo import conversations takes the past ones of every client, each once", async () => {
  await using api = await serveReplies({ journal: [], memories: [] });
  await using home = homeFor(api);
  const agents = Object.keys(CLIENTS) as (keyof typeof CLIENTS)[];
  for (const agent of agents) place(home, agent);
  home.write(
    CLIENTS.codex.path.replace("5854", "5855"),
    recorded(home, "sessions/codex.subagent.jsonl"),
  );
  const run = async () =>
    JSON.parse((await runMemo(home, ["import", "conversations", "--yes", "--json"])).stdout);
  // OpenCode's database has two more, and a fork.
  assert.equal((await run()).captured, agents.length + 4);
  assert.equal((await run()).conversations, 0);
});

Deno.test("two clients in one project at once lose nothing, and what both were told is kept once", async () => {
  const pnpm = { ...MEMORY, body: "In this repository use pnpm, don't use npm.", turn: 3 };
  const cents = {
    ...MEMORY,
    type: "decision",
    name: "Money is integer cents",
    body: "Every money amount is kept as integer cents, never as floats.",
    turn: 1,
  };
  await using api = await serveReplies({ journal: [], memories: [pnpm, cents] });
  await using home = homeFor(api, PATIENCE);
  assert.equal((await runMemo(home, ["daemon", "start"])).code, 0);
  const agents = ["codex", "copilot"] as const;
  const events = agents.flatMap((agent) => {
    const transcript_path = place(home, agent);
    return CLIENTS[agent].ends.map((event) => ({ agent, event, transcript_path }));
  });
  await Promise.all(
    events.map(({ agent, event, transcript_path }) =>
      answerTo(home, event, { agent, transcript_path, session_id: agent })
    ),
  );
  await until("both are captured", () => api.requests.length >= 2);
  await until("nothing waits", () => readJobs(join(home.memoHome, "capture")).length === 0);
  const kept = readdirSync(home.privately).filter((name) => /^(?:feedback|decision)_/.test(name));
  assert.deepEqual(kept.toSorted(), [
    "decision_money-is-integer-cents.md",
    "feedback_use-pnpm-never-npm.md",
  ]);
});
