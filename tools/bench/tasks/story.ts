import type { Conversation } from "../sessions/conversation.ts";
import type { Said, TaskSuite } from "./suite.ts";

/** All conversations of a suite are about one project. */
export const PROJECT = "platform";

/** Days with conversations; rules are decided on all but the last, and changed on the last. */
const DAYS = 3;
/** When the first day begins, and how far the days and the sessions of a day are apart. */
const FIRST = Date.parse("2026-10-05T10:00:00Z");
const DAYS_APART = 14;
const DAY_MS = 24 * 60 * 60_000, SESSIONS_APART_MS = 3 * 60_000;

/** When the bugs are reported. */
export const LATER = new Date(FIRST + (DAYS + 1) * DAYS_APART * DAY_MS);

/**
 * The suite's conversations as days of work on one project, in which those that decide something are spread evenly among
 * those that do not. The sessions of a day run side by side: each is captured with the memories of the days before.
 */
export function daysOf({ tasks, decoys }: TaskSuite): Conversation[][] {
  const days: { readonly id: string; readonly turns: readonly Said[] }[][] = [];
  const decided = DAYS - 1;
  for (let day = 0; day < DAYS; day++) {
    const rules = tasks.flatMap(({ name, conversations: [first, ...later] }, i) => [
      ...first !== undefined && i % decided === day ? [{ id: name, turns: first }] : [],
      ...day < decided ? [] : later.map((turns, n) => ({ id: `${name}-change-${n + 1}`, turns })),
    ]);
    const others = decoys.filter((_, i) => i % DAYS === day)
      .map(({ name, turns }) => ({ id: name, turns }));
    days.push(spread(rules, others));
  }
  return days.map((sessions, day) =>
    sessions.map(({ id, turns }, i) => ({
      id,
      project: PROJECT,
      at: new Date(FIRST + day * DAYS_APART * DAY_MS + i * SESSIONS_APART_MS).toISOString(),
      turns: turnsOf(turns),
    }))
  );
}

/** Puts a few items among many, evenly. */
function spread<T>(few: readonly T[], many: readonly T[]): T[] {
  const mixed = [...many];
  few.forEach((item, i) =>
    mixed.splice(Math.round((i + 0.5) * mixed.length / few.length), 0, item)
  );
  return mixed;
}

/** What the user says, and the assistant's answers to it. */
function turnsOf(said: readonly Said[]): Conversation["turns"] {
  const turns: { user: string; steps: { say: string }[] }[] = [];
  for (const { role, text } of said) {
    const turn = turns.at(-1);
    if (role === "user" || turn === undefined) turns.push({ user: text, steps: [] });
    else turn.steps.push({ say: text });
  }
  return turns;
}
