import { readTurns, type Step, type Turn } from "../../../core/transcript/turns.ts";
import { MemoError } from "../../../errors.ts";
import { keptOfSession, type KeptTurn } from "../../../features/history/kept.ts";
import { localTime } from "../../../core/text/counted.ts";
import { tilde } from "../../../paths.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { findTranscript, sessionOf, type TranscriptPlace } from "../../../core/transcript/find.ts";
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

/** A turn as `--json` prints it, without its position in the file. */
type Shown = Omit<Turn, "end" | "open" | "promptId">;

/**
 * `memo show --source`: prints a conversation, of a memory or by the session's id, from Claude Code's own file; nothing
 * leaves the machine.
 */
export async function showConversation(
  name: string,
  options: ConversationOptions,
  context: CliContext,
): Promise<void> {
  const { paths, env } = context;
  const { session, ...found } = options.turn === undefined
    ? await sourceOf(name, context)
    : { session: name };
  const shown = { ...options, ...found };
  const transcript = await transcriptOf(session, paths);
  if (transcript instanceof MemoError) {
    return showKept(keptOfSession(paths, session), shown, transcript);
  }
  const turns = selected(transcript, shown);
  if (options.json) {
    const all = await Array.fromAsync(turns, withoutPlace);
    return outJson({ session: sessionOf(transcript), transcript, turns: all });
  }
  say(tilde(transcript, env));
  for await (const turn of turns) out(render(turn));
}

/** The conversation that a memory comes from; a name that is no memory's is a session's. */
async function sourceOf(name: string, context: CliContext) {
  const options = { among: "both" } as const;
  const isMissing = lookUpHere([name], context, options).kind === "missing";
  if (isMissing && ID.test(name)) return { session: name };
  const found = await findOne([name], context, options);
  const { session, turn } = found.memory.source ?? {};
  if (session !== undefined) return { session, ...turn !== undefined && { turn } };
  throw new MemoError(
    "not-found",
    `Cannot show the source of \`${found.memory.name}\`: it comes from no conversation`,
    { hint: "Run `memo log NAME` to see what memo has changed about it" },
  );
}

/** A session's id or the beginning of one. */
const ID = /^[\w-]+$/;

/** The transcript of a session, or the error that says why there is none. */
async function transcriptOf(
  session: string,
  place: TranscriptPlace,
): Promise<string | MemoError> {
  try {
    return await findTranscript(session, place);
  } catch (error) {
    if (error instanceof MemoError && error.kind === "not-found") return error;
    throw error;
  }
}

/** Shows what memo has kept of a conversation whose transcript is gone. */
function showKept(
  kept: readonly KeptTurn[],
  { turn, around = 0, json }: ConversationOptions,
  missing: MemoError,
): void {
  const at = turn === undefined ? 0 : kept.findIndex((each) => each.turn.startsWith(turn));
  const session = kept[Math.max(0, at)]?.session;
  if (at < 0 || session === undefined) throw missing;
  const all = kept.filter((each) => each.session === session);
  const own = all.indexOf(kept[at]!);
  const shown = turn === undefined ? all : all.slice(Math.max(0, own - around), own + around + 1);
  if (json) {
    outJson({ session, transcript: shown[0]!.transcript, kept: true, turns: shown });
    return;
  }
  say("Claude Code has deleted this transcript; memo has kept what was said");
  for (const { turn, at, prompt, reply } of shown) {
    const steps: Step[] = reply === "" ? [] : [{ kind: "text", text: reply }];
    out(render({ id: turn, at, prompt, steps }));
  }
}

/** The selected turns. A single turn is found even if it was rewound or is a summary. */
async function* selected(
  path: string,
  { turn, around = 0 }: ConversationOptions,
): AsyncGenerator<Turn> {
  if (turn === undefined) return yield* readTurns(path);
  const before: Turn[] = [];
  let left: number | undefined;
  for await (const next of readTurns(path, { withTakenBack: true, withSummaries: true })) {
    if (left === undefined && next.id.startsWith(turn)) {
      yield* before;
      yield next;
      left = around;
    } else if (left === undefined) {
      before.push(next);
      if (before.length > around) before.shift();
    } else if (left-- > 0) yield next;
    else return;
  }
  if (left !== undefined) return;
  throw new MemoError("not-found", `Cannot find turn \`${turn}\` in \`${path}\``, {
    hint: `Run \`memo show --source ${sessionOf(path)}\` to see all turns with their ids`,
  });
}

/** The parts of a turn that are printed; of a kept one the folder is not known. */
type ShownTurn = Pick<Turn, "id" | "at" | "prompt" | "steps"> & { readonly cwd?: string };

function withoutPlace({ end: _end, open: _open, promptId: _promptId, ...shown }: Turn): Shown {
  return shown;
}

function render({ id, at, cwd = "", prompt, steps }: ShownTurn): string {
  const { day, time } = localTime(new Date(at));
  const head = paint("bold", `${day} ${time}`) + "  " +
    paint("dim", visible(`${id}  ${cwd}`.trimEnd()));
  const said = prompt === "" ? [] : [quote(prompt)];
  const did = steps.map((step) => {
    if (step.kind === "text") return visible(step.text);
    const result = step.result === "" ? "" : ` → ${visible(step.result)}`;
    const call = `* ${visible(step.name)} ${visible(step.input)}`;
    return paint("dim", step.failed ? `${call} failed${result}` : call + result);
  });
  return [head, ...said, ...did].join("\n\n") + "\n\n\n";
}

function quote(text: string): string {
  return visible(text).split("\n").map((line) => `> ${line}`.trimEnd()).join("\n");
}
