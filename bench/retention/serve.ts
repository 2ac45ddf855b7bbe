import { setTimeout as sleep } from "node:timers/promises";
import type { HookOutput } from "../../hooks/wire.ts";
import { hostOf } from "../../src/engine/host.ts";
import { contextFor } from "../../src/events/context.ts";
import { readEvent } from "../../src/events/event.ts";
import { handle } from "../../src/events/mod.ts";
import type { Log } from "../../src/files/log.ts";
import { memoryFolders, placeIn } from "../../src/memory/scopes.ts";
import type { Context } from "./score.ts";
import type { LaterPrompt } from "./suite.ts";
import type { World } from "./world.ts";

export interface ServeOptions {
  /** The time at which the prompts are typed. */
  readonly now: Date;
  readonly log: Log;
  readonly onProgress?: (done: number) => void;
}

/** Maximum wait for a prompt's LLM call before the turn's next hook. */
const SETTLE_MS = 150;

/** Sends each prompt through the hooks of its own session and returns the context that the model had. */
export async function serveAll(
  prompts: readonly LaterPrompt[],
  world: World,
  { now, log, onProgress }: ServeOptions,
): Promise<Context[]> {
  const { engine, claude } = world;
  for (const name of new Set(prompts.map(({ project }) => project))) {
    for (const folder of memoryFolders(placeIn({ ...engine.paths, claude }, world.project(name)))) {
      await engine.sync(folder);
    }
  }
  await engine.embedded();
  await engine.embedder();
  const host = hostOf(engine, {
    log,
    captureSoon: () => {},
    afterwards: (work) => void setImmediate(() => work(true)),
    session: { env: world.env, isPlain: false },
    now: () => now,
  });
  const send = async (input: object): Promise<string> => {
    const event = readEvent(input)!;
    return textOf(await handle(event, contextFor(event, host, { claude })));
  };

  const contexts: Context[] = [];
  for (const [i, prompt] of prompts.entries()) {
    const base = { session_id: prompt.id, cwd: world.project(prompt.project) };
    const start = await send({ ...base, hook_event_name: "SessionStart", source: "startup" });
    const at = await send({ ...base, hook_event_name: "UserPromptSubmit", prompt: prompt.text });
    await sleep(SETTLE_MS);
    const late = await send({ ...base, hook_event_name: "PostToolBatch", tool_calls: [] });
    contexts.push({
      prompt,
      start,
      bodies: [...memoriesIn(at), ...memoriesIn(late)],
      blockChars: at.length + late.length,
    });
    onProgress?.(i + 1);
  }
  return contexts;
}

function textOf(output: HookOutput): string {
  const given = output.hookSpecificOutput;
  return given !== undefined && "additionalContext" in given ? given.additionalContext : "";
}

/** The memories of a block, by heading; one that is given as a line has no body. */
function memoriesIn(block: string): string[] {
  return block.split(/^(?=## )/m).slice(1)
    .filter((text) => text.trim().includes("\n"));
}
