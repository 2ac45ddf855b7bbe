import type { Command } from "commander";
import { readTurns } from "../transcript/turns.ts";
import type { Turn } from "../transcript/turn.ts";
import { MemoError } from "../errors.ts";
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
      const transcript = findTranscript(session, paths.claude);
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

function withoutPlace({ end: _end, open: _open, ...shown }: Turn): Shown {
  return shown;
}

function render({ id, at, cwd, prompt, steps }: Turn): string {
  const { day, time } = localTime(new Date(at));
  const head = paint("bold", `${day} ${time}`) + "  " + paint("dim", visible(`${id}  ${cwd}`));
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
