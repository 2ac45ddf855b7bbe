import { MemoError } from "../../../errors.ts";
import { historyFolders, type PastHit, searchHistory } from "../../../features/history/mod.ts";
import type { Days, IndexedEntry } from "../../../core/index/mod.ts";
import {
  expandCommand,
  isChat,
  kindWord,
  transcriptCommand,
  withoutBullets,
} from "../../../core/memory/memory.ts";
import { localTime } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { wholeWords } from "../../../core/text/whole_words.ts";
import type { CliContext } from "../shared/command.ts";
import { daysIn, type Flags, type Texts } from "../shared/options.ts";
import { catchUpHistory, withEngine } from "../shared/local.ts";
import { out, outJson, outSection, paint, printFound, say } from "../shared/output.ts";
import { projectsOn } from "../../../core/memory/off.ts";
import { privateFolder } from "../../../core/memory/scopes.ts";
import { keptOfSession } from "../../../features/history/kept.ts";
import { findTranscript, sessionOf } from "../../../core/transcript/find.ts";
import { readTurns, type Turn } from "../../../core/transcript/turns.ts";
import { tilde } from "../../../paths.ts";
import { findOne, lookUpHere } from "../shared/find.ts";

interface HistoryOptions extends Texts<"until" | "on">, Flags<"json"> {
  readonly k: number;
  readonly since?: number | undefined;
}

const PASSAGE_CHARS = 240;

/** `memo search --history`: lists what happened, with the command that leads on to each turn. */
export async function searchPast(
  text: string,
  options: HistoryOptions,
  context: CliContext,
): Promise<void> {
  const days = daysOf(options);
  const hits = await withEngine(context, async (engine, here) => {
    const folders = historyFolders(here);
    await catchUpHistory(engine, folders, context);
    return await engine.withIndex(async (index) =>
      await searchHistory({ text, days, limit: options.k }, {
        ...{ index, folders, now: new Date() },
        embed: (text) => engine.model.embed(text).vector,
      })
    );
  });
  const hint = "run `memo log --journal --list` to list the days with entries";
  printFound(hits.map(toJson), {
    json: options.json,
    text: () => hits.map(render).join(""),
    nothing: () => `Nothing found${days === undefined ? "" : ` (${formatDays(days)})`}; ${hint}`,
  });
}

/** The days that options name; undefined for all. */
function daysOf({ since, until, on }: HistoryOptions): Days | undefined {
  if (on !== undefined) {
    if (since === undefined && until === undefined) return daysNamed("--on", on);
    throw new MemoError("usage", "Cannot combine `--on` with `--since` or `--until`", {
      hint: "Run `memo search --history QUERY --on 2026-03`",
    });
  }
  if (since === undefined && until === undefined) return undefined;
  const from = since === undefined ? "0000-01-01" : localTime(new Date(since)).day;
  const to = until === undefined ? "9999-12-31" : daysNamed("--until", until).to;
  if (from <= to) return { from, to };
  throw new MemoError("usage", `Cannot search from ${from} to ${to}: the end is before the start`, {
    hint: "Run `memo search --history QUERY --since 2026-03 --until 2026-04`",
  });
}

function daysNamed(option: string, value: string): Days {
  const days = daysIn(value);
  if (days !== undefined) return days;
  throw new MemoError("usage", `Cannot read \`${option} ${value}\` as a day, month or year`, {
    hint: "Write it as `2026-03-04`, `2026-03` or `2026`, or as a time ago such as `7d`",
  });
}

function formatDays({ from, to }: Days): string {
  if (from === to) return from;
  if (to.startsWith("9999")) return `since ${from}`;
  return from.startsWith("0000") ? `up to ${to}` : `${from} to ${to}`;
}

function toJson({ entry, score, passage }: PastHit) {
  const { kind, day, time, title, session, turn, transcript, path } = entry;
  return {
    ...{ kind, day, time, score, title, passage, text: entry.text, path },
    ...{ session, turn, transcript },
    expand: expandCommand(entry),
    transcriptCommand: transcriptCommand(entry),
  };
}

function render({ entry, score, passage }: PastHit): string {
  const { kind, day, time, title } = entry;
  const text = visible(wholeWords(withoutBullets(passage), PASSAGE_CHARS));
  const when = time === "" ? day : `${day} ${time}`;
  const facts = [kindWord(kind), ...score > 0 ? [score.toFixed(2)] : []];
  return [
    `${paint("bold", when)}  ${paint("dim", facts.join(", "))}`,
    kind === "turn" && title !== "" && !text.startsWith(title.slice(0, 40))
      ? `  ${visible(title)}`
      : "",
    text === "" ? "" : `  ${text}`,
    `  ${paint("dim", expandCommand(entry))}`,
  ].filter((line) => line !== "").join("\n") + "\n";
}

/** A turn's id or the beginning of one. */
const TURN = /^[\w-]{6,}$/;
/** Entries of the same session that are shown before and after one. */
const AROUND = 3;
const LINE_CHARS = 100;

/** Shows what history has about a turn; false if the name is that of no turn. */
export async function showTurn(
  name: string,
  json: boolean,
  context: CliContext,
): Promise<boolean> {
  if (!TURN.test(name)) return false;
  const found = await withEngine(context, async (engine, here) => {
    await catchUpHistory(engine, [], context);
    // An id is no guess, so it is looked for in every project.
    const others = projectsOn(context.paths).map(privateFolder);
    const folders = [
      ...historyFolders(here),
      ...here.filter(({ scope }) => scope === "user"),
      ...others,
    ];
    return await engine.withIndex(async ({ history }) => {
      const entries = await history.ofTurn(name, folders);
      const session = entries[0]?.session;
      const all = session === undefined ? [] : await history.ofSession(session, folders);
      return { entries, all };
    });
  });
  const turns = new Set(found.entries.map(({ turn }) => turn));
  if (turns.size === 0) return false;
  if (turns.size > 1) {
    throw new MemoError("usage", `Turn id \`${name}\` is ambiguous: ${turns.size} turns match`, {
      hint: "Use a longer prefix; `memo search --history QUERY --json` prints whole ids",
    });
  }
  const [turn] = turns, { entries, all } = found;
  const at = all.findIndex((entry) => entry.turn === turn);
  const others = (from: number, to: number) =>
    all.slice(Math.max(0, from), Math.max(0, to)).filter((entry) => entry.turn !== turn);
  const [before, after] = [others(at - AROUND, at), others(at + 1, at + 1 + AROUND)];
  const command = transcriptCommand(entries[0]!);
  if (json) {
    outJson({ turn, entries, before, after, transcriptCommand: command });
    return true;
  }
  for (const { kind, day, time, text } of entries) {
    say(`${day} ${time} (${kind === "turn" ? "kept conversation" : kindWord(kind)})`);
    out(`${visible(text)}\n`);
  }
  outSection("Before, in the same session", before.map(line));
  outSection("After", after.map(line));
  outSection("Conversation", command === undefined ? [] : [command]);
  return true;
}

function line(entry: IndexedEntry): string {
  const { time, title, text } = entry;
  const said = wholeWords(withoutBullets(title || text), LINE_CHARS);
  return `${time}  ${visible(said)}\n       ${paint("dim", expandCommand(entry))}`;
}

/**
 * `memo show --source`: prints a conversation, of a memory or by the session's id, from Claude Code's own file; nothing
 * leaves the machine.
 */
export async function showConversation(
  name: string,
  { turn: asked, around = 0, json }: Texts<"turn"> & Flags<"json"> & {
    /** Turns before and after that one. */
    readonly around: number | undefined;
  },
  context: CliContext,
): Promise<void> {
  const source = asked === undefined ? await sourceOf(name, context) : { session: name };
  const { session, turn = asked } = source;
  const { about, said, turns } = await turnsOf(session, turn, context);
  const at = turn === undefined ? 0 : turns.findIndex(({ id }) => id.startsWith(turn));
  if (at < 0) {
    throw new MemoError("not-found", `Cannot find turn \`${turn}\` in \`${about.transcript}\``, {
      hint: `Run \`memo show --source ${about.session}\` to see all turns with their ids`,
    });
  }
  const shown = turn === undefined ? turns : turns.slice(Math.max(0, at - around), at + around + 1);
  if (json) return outJson({ ...about, turns: shown.map(({ facts }) => facts) });
  say(said);
  for (const each of shown) out(formatTurn(each));
}

/** The turns of a session, from its transcript, or if it was deleted from the copy memo kept. */
async function turnsOf(session: string, turn: string | undefined, { paths, env }: CliContext) {
  let transcript: string;
  try {
    transcript = await findTranscript(session, paths);
  } catch (error) {
    if (!(error instanceof MemoError) || error.kind !== "not-found") throw error;
    const kept = keptOfSession(paths, session);
    const first = kept.find((each) => turn === undefined || each.turn.startsWith(turn));
    if (first === undefined) throw error;
    const turns = kept.filter((each) => each.session === first.session).map((facts) => ({
      ...{ ...facts, id: facts.turn, facts },
      steps: facts.reply === "" ? [] : [{ kind: "text", text: facts.reply } as const],
    }));
    const about = { session: first.session, transcript: first.transcript, kept: true };
    const said = "Claude Code deleted this transcript; this is the copy memo kept";
    return { about, said, turns };
  }
  // A single turn is found even if it was rewound or is a summary.
  const reading = turn === undefined ? {} : { isWhole: true };
  const turns = (await Array.fromAsync(readTurns(transcript, reading))).map((each) => {
    const { end: _, open: __, promptId: ___, ...facts } = each;
    return { ...each, facts };
  });
  const about = { session: sessionOf(transcript), transcript };
  return { about, said: tilde(transcript, env), turns };
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
  const { session, turn, transcript = "" } = memory.source ?? {};
  if (isChat(transcript)) {
    throw new MemoError(
      "not-found",
      `Cannot show the conversation of \`${memory.name}\`: it is not on this machine`,
      { hint: `Open ${transcript}` },
    );
  }
  if (session !== undefined) return { session, turn };
  const what = `the source of \`${memory.name}\`: it did not come from a conversation`;
  throw new MemoError("not-found", `Cannot show ${what}`, {
    hint: "Run `memo log NAME` to see what memo changed",
  });
}

/** A session's id or the beginning of one. */
const ID = /^[\w-]+$/;

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
