// Sessions again, as memo's hooks would have served them, without Claude Code.

import { setImmediate as nextTick } from "node:timers/promises";
import type { HookOutput } from "../../../hooks/wire.ts";
import type { Engine } from "../../engine/engine.ts";
import { hostOf } from "../../engine/host.ts";
import { contextFor } from "../../events/context.ts";
import { readEvent } from "../../events/event.ts";
import { handle } from "../../events/mod.ts";
import type { Log } from "../../files/log.ts";
import type { Env } from "../../paths.ts";
import { loadSession } from "../../recall/session.ts";

/** Where sessions are held. */
export interface Stage {
  readonly engine: Engine;
  /** The environment of every session. */
  readonly env: Env;
  /** Claude Code's configuration folder. */
  readonly claude: string;
  readonly log: Log;
  /** Asks no language model, whatever the settings say. */
  readonly isLocal?: boolean;
}

/** Sends a hook's stdin, and returns the text that the model is given. */
export type Send = (input: object) => Promise<string>;

/** A prompt that was typed, in its session. */
export interface TypedPrompt {
  readonly session: string;
  /** The turn that it began. */
  readonly turn: string;
  readonly cwd: string;
  readonly at: string;
  readonly text: string;
}

/** The memories that stand in context, by path. */
export interface InContext {
  /** Before the prompt was typed: since the session's start, or since an earlier prompt. */
  readonly before: ReadonlySet<string>;
  /** With the prompt itself. */
  readonly withIt: ReadonlySet<string>;
}

/** Maximum wait for a prompt's vector: what a session is given must not depend on how busy the machine is. */
const PATIENCE_MS = 60_000;

/** The hooks of sessions that are held at a time. */
export function hooksOf({ engine, env, claude, log, isLocal }: Stage, now: Date): Send {
  const { embed, ...host } = hostOf(engine, {
    log,
    captureSoon: () => {},
    defer: (work) => void setImmediate(() => work(true)),
    session: isLocal ? undefined : { env, isPlain: false },
    now: () => now,
  });
  const patient = { ...host, embed: embed && ((text: string) => embed(text, PATIENCE_MS)) };
  return async (input) => {
    const event = readEvent(input)!;
    const output = await handle(event, contextFor(event, patient, { claude }));
    await nextTick(); // the session's state is saved: the next event knows what this one has given
    return textOf(output);
  };
}

/** Holds one session again, and returns what stood in context at each of its prompts. */
export async function replay(
  prompts: readonly TypedPrompt[],
  stage: Stage,
): Promise<InContext[]> {
  const [first] = prompts;
  if (first === undefined) return [];
  const base = { session_id: first.session, cwd: first.cwd };
  const start = { ...base, hook_event_name: "SessionStart", source: "startup" };
  await hooksOf(stage, new Date(first.at))(start);
  const found: InContext[] = [];
  for (const { text, at, cwd, turn } of prompts) {
    const before = handedIn(first.session, stage);
    const typed = { ...base, cwd, prompt_id: turn, prompt: text };
    await hooksOf(stage, new Date(at))({ ...typed, hook_event_name: "UserPromptSubmit" });
    found.push({ before, withIt: handedIn(first.session, stage) });
  }
  return found;
}

function handedIn(session: string, { engine }: Stage): ReadonlySet<string> {
  const { delivered } = loadSession(engine.paths.sessions, session);
  return new Set(delivered.flatMap(({ memories, listed = {} }) => [
    ...Object.keys(memories),
    ...Object.keys(listed),
  ]));
}

function textOf({ hookSpecificOutput: given }: HookOutput): string {
  return given !== undefined && "additionalContext" in given ? given.additionalContext : "";
}
