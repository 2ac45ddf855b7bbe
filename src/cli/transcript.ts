import type { Command } from "commander";
import { readTurns } from "../transcript/turns.ts";
import type { Step, Turn } from "../transcript/turn.ts";
import { MemoError } from "../errors.ts";
import { keptOfSession, type KeptTurn } from "../history/kept.ts";
import { localTime } from "../text/local_time.ts";
import { tilde } from "../paths.ts";
import { visible } from "../text/neutralise.ts";
import { findTranscript, sessionOf } from "../transcript/find.ts";
import type { CliContext } from "./command.ts";
import { wholeNumberOrNone } from "./options.ts";
import { out, outJson, paint, say } from "./output.ts";

interface TranscriptOptions {
  readonly turn?: string;
  readonly context: number;
  readonly json?: boolean;
}

/** A turn as `--json` prints it, without its position in the file. */
type Shown = Omit<Turn, "end" | "open">;

/** `memo transcript`: prints a conversation from Claude Code's own file; nothing leaves the machine. */
export function define(command: Command, { paths, env }: CliContext): void {
  command
    .argument("<session>", "Session id (a unique prefix is enough)")
    .option("--turn <id>", "Only this turn, by id (a unique prefix is enough)")
    .option(
      "--context <number>",
      "With --turn: number of turns before and after it",
      wholeNumberOrNone,
      0,
    )
    .option("--json", "Print JSON: {session, transcript, turns}")
    .action(async (session: string, options: TranscriptOptions) => {
      const transcript = transcriptOf(session, paths.claude);
      if (transcript instanceof MemoError) {
        return showKept(keptOfSession(paths, session), options, transcript);
      }
      const turns = selected(transcript, options);
      if (options.json) {
        const shown = await Array.fromAsync(turns, withoutPlace);
        outJson({ session: sessionOf(transcript), transcript, turns: shown });
        return;
      }
      say(tilde(transcript, env));
      for await (const turn of turns) out(render(turn));
    });
}

/** The transcript of a session, or the error that says why there is none. */
function transcriptOf(session: string, claude: string): string | MemoError {
  try {
    return findTranscript(session, claude);
  } catch (error) {
    if (error instanceof MemoError && error.kind === "not-found") return error;
    throw error;
  }
}

/** Shows what memo has kept of a conversation whose transcript is gone. */
function showKept(
  kept: readonly KeptTurn[],
  { turn, context, json }: TranscriptOptions,
  missing: MemoError,
): void {
  const at = turn === undefined ? 0 : kept.findIndex((each) => each.turn.startsWith(turn));
  const session = kept[Math.max(0, at)]?.session;
  if (at < 0 || session === undefined) throw missing;
  const all = kept.filter((each) => each.session === session);
  const own = all.indexOf(kept[at]!);
  const shown = turn === undefined ? all : all.slice(Math.max(0, own - context), own + context + 1);
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
async function* selected(path: string, { turn, context }: TranscriptOptions): AsyncGenerator<Turn> {
  if (turn === undefined) return yield* readTurns(path);
  const before: Turn[] = [];
  let left: number | undefined;
  for await (const next of readTurns(path, { withTakenBack: true, withSummaries: true })) {
    if (left === undefined && next.id.startsWith(turn)) {
      yield* before;
      yield next;
      left = context;
    } else if (left === undefined) {
      before.push(next);
      if (before.length > context) before.shift();
    } else if (left-- > 0) yield next;
    else return;
  }
  if (left !== undefined) return;
  throw new MemoError("not-found", `Cannot find turn \`${turn}\` in \`${path}\``, {
    hint: `Run \`memo transcript ${sessionOf(path)}\` to see all turns with their ids`,
  });
}

/** The parts of a turn that are printed; of a kept one the folder is not known. */
type Told = Pick<Turn, "id" | "at" | "prompt" | "steps"> & { readonly cwd?: string };

function withoutPlace({ end: _end, open: _open, ...shown }: Turn): Shown {
  return shown;
}

function render({ id, at, cwd = "", prompt, steps }: Told): string {
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
