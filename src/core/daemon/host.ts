import type { Host } from "../events/conversation.ts";
import { isAttended } from "../link/session_env.ts";
import type { Env } from "../../paths.ts";
import type { Engine } from "../engine/engine.ts";

/** A session's environment. */
export interface SessionEnv {
  readonly env: Env;
  /** Whether it has no login and no settings of its own. */
  readonly isPlain: boolean;
}

/** The services that a process with an engine provides to hook event handlers. */
export function hostOf(
  engine: Engine,
  { log, captureSoon, defer, session, now = () => new Date() }:
    & Pick<Host, "captureSoon" | "defer" | "log">
    & Partial<Pick<Host, "now">>
    & {
      /** The session that asks; without it, no language model is asked. */
      readonly session?: SessionEnv | undefined;
    },
): Host {
  const { paths, prefetches, tasks, told, branches, features } = engine;
  return {
    ...{ paths, log, now, captureSoon, defer, prefetches, tasks, told, branches },
    configFor: (place) => engine.config(place, session?.env),
    isPlain: session?.isPlain ?? false,
    isAttended: isAttended(session?.env ?? {}),
    withIndex: engine.withIndex.bind(engine),
    embed: engine.embedWithin.bind(engine),
    async redact(text, own) {
      const { redact } = await import("../redact/redact.ts"); // its rules load slowly
      return (await redact(text, own)).text;
    },
    askFor: (place) => session && engine.askFor(session.env, place, "recall"),
    answers: features.answers ?? {},
    async sync(folder) {
      if ((await engine.current([folder])).length === 0) await engine.sync(folder);
    },
    follow: engine.follow.bind(engine),
    freshen: engine.freshen.bind(engine),
    warm: (folders) => engine.withIndex((index) => index.warm(folders)),
  };
}
