import type { CaptureContext } from "../capture/capture.ts";
import type { Whereabouts } from "../capture/cursor.ts";
import type { Plan } from "../capture/plan.ts";
import type { Pipeline } from "../capture/work.ts";
import type { Log } from "../files/log.ts";
import { parseMemory } from "../memory/file.ts";
import { isSuspectMemory } from "../memory/provenance.ts";
import { placeIn } from "../memory/scopes.ts";
import { digestOf, vouchFor } from "../memory/trust.ts";
import type { Env } from "../paths.ts";
import { leaveNotices } from "../upkeep/notices.ts";
import type { Engine } from "./engine.ts";

export interface PipelineOptions extends Pick<CaptureContext, "onProgress"> {
  /** The environment of a transcript's session; throws if it ended with the session. */
  envFor(where: Whereabouts): Env;
  /** The time of the capture; default: now. */
  readonly now?: () => Date;
}

/** Captures turns with the engine's index and the login and settings of their session. */
export function capturePipeline(
  engine: Engine,
  log: Log,
  { envFor, onProgress, now = () => new Date() }: PipelineOptions,
): Pipeline {
  return {
    async plan(turns, { signal, isLastTry, ...where }) {
      const { planCapture } = await import("../capture/capture.ts"); // loads many redaction rules
      const { transcript, claude, projectDir = where.cwd } = where;
      const paths = { ...engine.paths, claude };
      const cwd = turns[0]?.cwd ?? where.cwd;
      const env = envFor(where);
      const context: CaptureContext = {
        paths,
        env,
        cwd,
        config: engine.config(placeIn(paths, cwd, projectDir), env),
        log,
        now,
        transcript,
        projectDir,
        signal,
        isLastTry,
        onProgress,
      };
      return await planCapture(turns, context);
    },
    apply: (plan) => carryOut(plan, { engine, log, now }),
  };
}

/** Applies a plan, vouches for what it writes, and updates the index. */
export async function carryOut(
  plan: Plan,
  { engine, log, now }: { readonly engine: Engine; readonly log: Log; readonly now: () => Date },
): Promise<void> {
  const { applyPlan } = await import("../capture/apply.ts");
  for (const action of plan.actions) {
    if (action.kind !== "write" && action.kind !== "confirm") continue;
    await vouchFor(action.folder, [digestOf(action.text)]);
  }
  const { folders } = await applyPlan(plan, { now, log });
  for (const folder of folders) await engine.sync(folder);
  if (engine.isBackground) tell(plan, engine.paths.notices, now());
}

/** Leaves word of the memories that a plan has written. */
function tell({ actions }: Plan, notices: string, now: Date): void {
  const at = now.toISOString();
  leaveNotices(
    notices,
    actions.filter((action) => action.kind === "write").map(({ text, path, folder, replaces }) => {
      const { memory } = parseMemory(text, { fallbackName: "" });
      const what = isSuspectMemory(memory) ? "held" : "saved";
      const { name, source } = memory;
      return {
        ...{ at, what, name, replaced: replaces },
        ...{ path, folder: folder.path, session: source?.session },
      };
    }),
  );
}
