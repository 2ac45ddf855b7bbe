import type { Pipeline } from "../capture/work.ts";
import { MemoError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Engine } from "./engine.ts";

/** How turns become memories, with the engine's settings, index and language model. */
export function capturePipeline(_engine: Engine, _log: Log): Pipeline {
  const nobody = () => Promise.reject(new MemoError("llm", "Nobody reads conversations yet"));
  return { plan: nobody, apply: nobody };
}
