import { keptOfSession } from "../../../features/history/kept.ts";
import { MemoError } from "../../../errors.ts";
import { localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { findTranscript, sessionOf } from "../../../core/transcript/find.ts";
import { readTurns, type Turn } from "../../../core/transcript/turns.ts";
import { tilde } from "../../../paths.ts";
import type { CliContext } from "../shared/command.ts";
import { findOne, lookUpHere } from "../shared/find.ts";
import { out, outJson, paint, say } from "../shared/output.ts";

/** Which turns are shown, and how. */
export interface ConversationOptions {
  /** Only this turn, by id or a prefix of it. */
  readonly turn: string | undefined;
  /** Turns before and after that one. */
  readonly around: number | undefined;
  readonly json: boolean;
}

/**
 * `memo show --source`: prints a conversation, of a memory or by the session's id, from Claude Code's own file; nothing
 * leaves the machine.
 */
export async function showConversation(
  name: string,
  options: ConversationOptions,
  context: CliContext,
): Promise<void> {
  const { paths, env } = context, { json, around = 0 } = options;
  const source = options.turn === undefined ? await sourceOf(name, context) : { session: name };
  const { session, turn = options.turn } = source;
  let transcript: string;
  try {
    transcript = await findTranscript(session, paths);
  } catch (error) {
    if (!(error instanceof MemoError) || error.kind !== "not-found") throw error;
    return showKept(session, { turn, around, json }, { context, missing: error });
  }
  // A single turn is found even if it was rewound or is a summary.
  const reading = turn === undefined ? {} : { isWhole: true };
  const turns = near(await Array.fromAsync(readTurns(transcript, reading)), turn, around);
  if (turns === undefined) {
    throw new MemoError("not-found", `Cannot find turn \`${turn}\` in \`${transcript}\``, {
      hint: `Run \`memo show --source ${sessionOf(transcript)}\` to see all turns with their ids`,
    });
  }
  if (json) {
    const shown = turns.map(({ end: _, open: __, promptId: ___, ...turn }) => turn);
    return outJson({ session: sessionOf(transcript), transcript, turns: shown });
  }
  say(tilde(transcript, env));
  for (const each of turns) out(formatTurn(each));
}

/** The conversation that a memory comes from; a name that is no memory's is a session's. */
async function sourceOf(
  name: string,
  context: CliContext,
): Promise<{ readonly session: string; readonly turn?: string | undefined }> {
  const options = { among: "both" } as const;
  const isMissing = lookUpHere([name], context, options).kind === "missing";
  if (isMissing && ID.test(name)) return { session: name };
  const { memory } = await findOne([name], context, options);
  const { session, turn } = memory.source ?? {};
  if (session !== undefined) return { session, turn };
  throw new MemoError(
    "not-found",
    `Cannot show the source of \`${memory.name}\`: it comes from no conversation`,
    { hint: "Run `memo log NAME` to see what memo has changed about it" },
  );
}

/** A session's id or the beginning of one. */
const ID = /^[\w-]+$/;

/** Shows what memo has kept of a conversation whose transcript is gone. */
function showKept(
  session: string,
  { turn, around = 0, json }: ConversationOptions,
  { context, missing }: { readonly context: CliContext; readonly missing: MemoError },
): void {
  const kept = keptOfSession(context.paths, session).map((each) => ({ ...each, id: each.turn }));
  const first = kept.find(({ id }) => turn === undefined || id.startsWith(turn));
  const own = kept.filter((each) => each.session === first?.session);
  const turns = near(own, turn, around) ?? [];
  if (first === undefined) throw missing;
  if (json) {
    const shown = turns.map(({ id: _, ...turn }) => turn);
    const { transcript } = shown[0]!;
    return outJson({ session: first.session, transcript, kept: true, turns: shown });
  }
  say("Claude Code has deleted this transcript; memo has kept what was said");
  for (const { reply, ...each } of turns) {
    out(formatTurn({ ...each, steps: reply === "" ? [] : [{ kind: "text", text: reply }] }));
  }
}

/** All turns, or the one that is named with those around it; undefined if there is none of that name. */
function near<T extends { readonly id: string }>(
  turns: readonly T[],
  turn: string | undefined,
  around: number,
): readonly T[] | undefined {
  if (turn === undefined) return turns;
  const at = turns.findIndex(({ id }) => id.startsWith(turn));
  return at < 0 ? undefined : turns.slice(Math.max(0, at - around), at + around + 1);
}

function formatTurn(
  { id, at, cwd = "", prompt, steps }:
    & Pick<Turn, "id" | "at" | "prompt" | "steps">
    & { readonly cwd?: string },
): string {
  const { day, time } = localTime(new Date(at));
  const head = paint("bold", `${day} ${time}`) + "  " +
    paint("dim", visible(`${id}  ${cwd}`.trimEnd()));
  const said = visible(prompt).split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");
  const did = steps.map((step) => {
    if (step.kind === "text") return visible(step.text);
    const result = step.result === "" ? "" : ` → ${visible(step.result)}`;
    const call = `* ${visible(step.name)} ${visible(step.input)}`;
    return paint("dim", step.failed ? `${call} failed${result}` : call + result);
  });
  return [head, ...prompt === "" ? [] : [said], ...did].join("\n\n") + "\n\n\n";
}
