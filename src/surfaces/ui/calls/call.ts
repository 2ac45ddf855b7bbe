import type * as z from "zod";
import type { Engine } from "../../../core/engine/engine.ts";
import type { Log } from "../../../core/files/log.ts";
import type { Place } from "../../../core/memory/scopes.ts";
import type { Env, Paths } from "../../../paths.ts";
import type { Listed } from "../listed.ts";

/** What calls work with. */
export interface CallContext {
  readonly engine: Engine;
  /** The daemon's paths, with the Claude Code folder of whoever opened the page. */
  readonly paths: Paths;
  /** Where `memo ui` was run. */
  readonly place: Place;
  /** The environment of `memo ui`, with its login. */
  readonly env: Env;
  readonly log: Log;
  /** The memories that the page has been told of, by the only name it has for them. */
  readonly listed: Listed;
  now(): Date;
}

/** A call of the page, whatever it takes and gives. */
export interface Call {
  readonly name: string;
  /** Whether it changes something; then it goes through `src/core/change` and gives `{said, group}`. */
  readonly writes: boolean;
  readonly params: z.ZodObject;
  /** Answers with JSON; a MemoError that it throws is shown to the person. */
  run(params: never, context: CallContext): Promise<unknown>;
}

/** Defines a call: what `run` takes is what its schema says. */
export function defineCall<Params extends z.ZodObject>(
  call: Omit<Call, "params" | "run"> & {
    readonly params: Params;
    run(params: z.output<Params>, context: CallContext): Promise<unknown>;
  },
): Call {
  return call;
}
