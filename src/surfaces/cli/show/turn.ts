import { MemoError } from "../../../errors.ts";
import { historyFolders } from "../../../features/history/mod.ts";
import type { IndexedEntry } from "../../../core/index/mod.ts";
import { knownProjects } from "../../../core/memory/project.ts";
import { privateFolder } from "../../../core/memory/scopes.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { wholeWords } from "../../../core/text/whole_words.ts";
import type { CliContext } from "../shared/command.ts";
import { catchUpHistory, withEngine } from "../shared/local.ts";
import { out, outJson, paint, say } from "../shared/output.ts";
import {
  expandCommand,
  kindWord,
  transcriptCommand,
  withoutBullets,
} from "../../../core/memory/memory.ts";

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
    const others = knownProjects(context.paths.claude).map(privateFolder);
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
  const sections = [
    ["Before, in the same session", before.map(line).join("")],
    ["After", after.map(line).join("")],
    ["Conversation", command === undefined ? "" : `${command}\n`],
  ] as const;
  for (const [heading, text] of sections) {
    if (text !== "") out(`\n${paint("bold", heading)}\n${text}`);
  }
  return true;
}

function line(entry: IndexedEntry): string {
  const { time, title, text } = entry;
  const said = wholeWords(withoutBullets(title || text), LINE_CHARS);
  return `${time}  ${visible(said)}\n       ${paint("dim", expandCommand(entry))}\n`;
}
