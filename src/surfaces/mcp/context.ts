import type { Engine } from "../../core/engine/engine.ts";
import { surroundingsOf } from "../../core/engine/surroundings.ts";
import { within } from "../../core/link/within.ts";
import type { Log } from "../../core/files/log.ts";
import { memoryFolders, type Place } from "../../core/memory/scopes.ts";
import type { Env } from "../../paths.ts";
import type { ToolSession, WritingContext } from "./tool.ts";

/** Where a tool is called, and on whose behalf. */
export interface ToolCaller {
  readonly place: Place;
  /** The session's environment, with its login. */
  readonly env: Env;
  readonly log: Log;
  readonly session: ToolSession | undefined;
}

/** Maximum wait for memories that were just written; a first index takes longer. */
const EMBEDDED_MS = 1000;

/** What tools work with, from an engine. */
export function toolContext(
  engine: Engine,
  { place, env, log, session }: ToolCaller,
): WritingContext {
  const folders = memoryFolders(place);
  const now = () => new Date();
  return {
    paths: engine.paths,
    place,
    folders,
    config: engine.config(place, env),
    env,
    log,
    session,
    now,
    async withIndex(work) {
      await engine.freshen(folders);
      await within(EMBEDDED_MS, engine.embedded()); // what a tool has just saved, the next one finds
      return await engine.withIndex(work);
    },
    embed: (text) => engine.embed(text),
    ask: engine.askFor(env, place, "ask", "recall"),
    embedder: () => engine.embedder(),
    similar: engine.similar.bind(engine),
    surroundings: surroundingsOf(engine, {
      log,
      now: now(),
      session: session?.id,
      isNoticed: true,
    }),
  };
}
