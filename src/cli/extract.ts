import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { applyPlan } from "../capture/apply.ts";
import { planCapture } from "../capture/capture.ts";
import type { Action, Plan } from "../capture/plan.ts";
import { readTurns } from "../capture/transcript.ts";
import type { Turn } from "../capture/turn.ts";
import type { Engine } from "../daemon/engine.ts";
import { MemoError } from "../errors.ts";
import { diffOf } from "../install/diff.ts";
import { openLog } from "../log.ts";
import { tilde } from "../paths.ts";
import { findTranscript } from "../transcript/find.ts";
import { afterChange } from "./after_change.ts";
import type { CliContext } from "./command.ts";
import { catchUp, withEngine } from "./local.ts";
import { out, outJson, say } from "./output.ts";
import { progressBar } from "./progress.ts";

interface ExtractOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `memo extract`: what a session's end does, by hand. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("<transcript>", "A transcript, or a session's id or the beginning of it")
    .option("--dry-run", "Show what would be written, as a diff, and write nothing")
    .option("--json", "Print JSON: {transcript, turns, actions}")
    .action(async (name: string, options: ExtractOptions) => {
      const path = resolve(context.cwd, name);
      const transcript = existsSync(path) ? path : findTranscript(name, context.paths.claude);
      const turns = await Array.fromAsync(readTurns(transcript));
      const [first] = turns;
      if (first === undefined) {
        throw new MemoError("not-found", `Cannot find a conversation in \`${transcript}\``, {
          hint: "Give a transcript of Claude Code's, or a session that `memo receipts` names",
        });
      }
      const place = { ...context, cwd: first.cwd };
      const plan = await withEngine(
        place,
        (engine) => makePlan(turns, { engine, place, transcript }),
      );
      if (options.json) {
        outJson({ transcript, turns: turns.length, actions: plan.actions.map(shown) });
      } else for (const action of plan.actions) out(render(action, context));
      if (plan.actions.length === 0) say("It has nothing new in it");
      if (options.dryRun) return;
      const log = openLog(context.paths.logs);
      const { folders } = await applyPlan(plan, { now: () => new Date(), log });
      for (const folder of folders) await afterChange(place, folder);
    });
}

async function makePlan(
  turns: readonly Turn[],
  { engine, place, transcript }: {
    readonly engine: Engine;
    readonly place: CliContext;
    readonly transcript: string;
  },
): Promise<Plan> {
  const { env, paths, cwd } = place;
  const config = engine.config({ cwd, claude: paths.claude });
  const bar = progressBar("Reading the conversation");
  try {
    await catchUp(engine);
    return await planCapture(turns, {
      ...{ env, paths, config, transcript, now: () => new Date() },
      log: (event, { failed, dropped, because } = {}) => {
        openLog(paths.logs)(event, { failed, dropped, because });
        const what = [dropped, failed, because].filter((each) => each !== undefined).join(", ");
        if (what !== "") say(`warning: ${what}`);
      },
      similar: engine.similar.bind(engine),
      onProgress: (done, total) => bar.update(done, total),
    });
  } finally {
    bar.stop();
  }
}

/** What an action comes to, for `--json`. */
function shown(action: Action): Record<string, unknown> {
  const { kind, path } = action;
  return kind === "archive" ? { kind, path } : { kind, path, text: action.text };
}

function render(action: Action, { env }: CliContext): string {
  const before = textOf(action.path);
  const after = action.kind === "archive"
    ? undefined
    : action.kind === "journal"
    ? `${before ?? ""}\n${action.text}`
    : action.text;
  return diffOf({ before, after }, tilde(action.path, env));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // it is to be made
  }
}
