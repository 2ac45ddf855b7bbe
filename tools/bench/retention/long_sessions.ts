import { sample, seededRandom } from "../../../bench/random.ts";
import { ask, charsOf, hooksOf, type ServeOptions } from "../sessions/serve.ts";
import type { LaterPrompt } from "./suite.ts";
import type { World } from "../sessions/world.ts";

/** Prompts in a session, and sessions in each project. */
const PROMPTS = 30, SESSIONS = 2;

/** One long session, and the characters that memo added to it. */
export interface LongSession {
  readonly project: string;
  readonly prompts: number;
  readonly chars: number;
}

/** Holds sessions of many prompts in each project, and counts the characters that memo adds to them. */
export async function longSessions(
  prompts: readonly LaterPrompt[],
  world: World,
  { onProgress, ...options }: ServeOptions,
): Promise<LongSession[]> {
  const send = hooksOf(world, options);
  const plans = sessionsFrom(prompts);
  const sessions: LongSession[] = [];
  for (const [i, { project, prompts }] of plans.entries()) {
    const base = { session_id: `long-${i}`, cwd: world.project(project) };
    let chars =
      (await send({ ...base, hook_event_name: "SessionStart", source: "startup" })).length;
    for (const prompt of prompts) {
      chars += charsOf(await ask(prompt, { base: { ...base, prompt_id: prompt.id }, send }));
    }
    sessions.push({ project, prompts: prompts.length, chars });
    onProgress?.(i + 1);
  }
  return sessions;
}

/** Prompts of a project in a random order, the same at every run; one that has too few has some typed again. */
export function sessionsFrom(
  prompts: readonly LaterPrompt[],
): { readonly project: string; readonly prompts: readonly LaterPrompt[] }[] {
  return [...Map.groupBy(prompts, ({ project }) => project)].flatMap(([project, own], place) =>
    Array.from({ length: SESSIONS }, (_, i) => {
      const random = seededRandom(1 + place * SESSIONS + i);
      const typed = sample(random, own, PROMPTS);
      const again = sample(random, own, PROMPTS - typed.length);
      return { project, prompts: [...typed, ...again] };
    })
  );
}
