// Sessions that the real programs of other agents have written (test/fixtures/agents/README.md).

import assert from "node:assert/strict";
import Database from "libsql";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Home, runMemo } from "./home.ts";

const EVENTS = fileURLToPath(new URL("../fixtures/agents/", import.meta.url));
const SESSIONS = join(EVENTS, "sessions");

/** A recording, moved into the home's project. */
export function recorded(home: Home, name: string): string {
  return readFileSync(join(EVENTS, name), "utf8").replaceAll("/home/dev/shop", home.project);
}

/** What memo answers an agent to a recorded event, such as `codex.Stop`, in the home's project; undefined: nothing. */
export async function answerTo(
  home: Home,
  event: string,
  { agent = event.split(".")[0]!, ...more }: Readonly<Record<string, unknown>> & {
    readonly agent?: string;
  } = {},
) {
  const sent = JSON.parse(recorded(home, `${event}.json`));
  const moved = "workspace_roots" in sent
    ? { workspace_roots: [home.project] }
    : { cwd: home.project };
  const stdin = JSON.stringify({ ...sent, ...moved, ...more });
  const { code, stdout, stderr } = await runMemo(home, ["hook", "--agent", agent], { stdin });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

const RECORDED = new Date("2026-11-23T17:00:00Z");

/** The sessions in recorded databases. */
export const STORED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  opencode: {
    "three-turns": "ses_df6dddd12ffe1oNv5BjgP7R2aN",
    "memo-block": "ses_df6d93f5bffeV28oivRDzYJf0L",
    "with-subagent": "ses_df6d47f5affeigEOEyh46YECf3",
    subagent: "ses_df6d45c7effeMrYkVd926COL5Y",
    fork: "ses_df6d44588ffeQdPBWKHNFScnOT",
  },
  kilo: {
    "three-turns": "ses_df6dd1400ffegM4PlbvUqnXxq6",
    "memo-block": "ses_df6d72681ffeS6cnfbTO4oqUtf",
  },
};

/** The text of a recorded session, or of the database that it is in. */
export function recordingOf(agent: string, session: string): string {
  const name = agent in STORED ? `${agent}.sql` : `${agent}.${session}.jsonl`;
  return readFileSync(join(SESSIONS, name), "utf8");
}

/** Puts a recorded session to a path of its own, or into the database there, unless that is there; returns its path. */
export function placeSession(
  path: string,
  agent: string,
  { session, edit = (text) => text }: {
    readonly session: string;
    readonly edit?: (text: string) => string;
  },
): string {
  const text = edit(recordingOf(agent, session));
  mkdirSync(dirname(path), { recursive: true });
  const stored = STORED[agent]?.[session];
  if (stored === undefined) {
    writeFileSync(path, text);
    return path;
  }
  if (!existsSync(path)) {
    const db = new Database(path);
    db.exec(text);
    db.close();
    utimesSync(path, RECORDED, RECORDED);
  }
  return join(path, stored);
}
