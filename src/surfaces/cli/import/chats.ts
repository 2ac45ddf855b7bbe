// What an export of ChatGPT or Claude.ai has to say, captured like any past conversation.

import { capturedBeside } from "../../../core/capture/cursor.ts";
import { questionsAbout } from "../../../core/capture/work.ts";
import { APPLIES } from "../../../core/change/change.ts";
import { projectAt } from "../../../core/memory/project.ts";
import { counted, localTime } from "../../../core/text/counted.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";
import type { Turn } from "../../../core/transcript/turns.ts";
import { readChats, type Skipped } from "../../../features/import/mod.ts";
import { MemoError } from "../../../errors.ts";
import { tilde } from "../../../paths.ts";
import type { ImportOptions } from "../import.ts";
import type { CliContext } from "../shared/command.ts";
import { momentOf } from "../shared/options.ts";
import { progressBar } from "../shared/progress.ts";
import { capturePast, type PastConversation } from "./past.ts";

/** A conversation of an export, without its turns: all exports have room in memory so. */
interface PastChat extends PastConversation {
  /** When its last turn began, ISO 8601. */
  readonly at: string;
}

/** Parts that are left out and named. */
const NAMED = 5;

/** Captures the conversations of an export that have something new; they are no project's unless the person says so. */
export async function importChats(
  path: string,
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const { last = "30d", all = false, scope = "user" } = options;
  const { paths, place, env } = context;
  const cwd = scope === "user" ? paths.home : projectAt(place)?.root;
  if (cwd === undefined) {
    throw new MemoError("usage", `Cannot import for a project: \`${place.cwd}\` is not in one`, {
      hint: "Run it in a project, or without `--scope`",
    });
  }
  const since = all ? -Infinity : momentOf(last).getTime();
  const { found, skipped, services, total, latest } = await newChats(path, {
    ...{ since, cwd, capture: paths.capture, again: options.again === true },
  });
  const file = tilde(path, env);
  const older = `\`${file}\` has ${counted(total, "conversation")}` +
    (latest === "" ? "" : `, the last of ${localTime(new Date(latest)).day}`) +
    "; `--all` takes all of them";
  const where = `from ${[...services].join(" and ") || file}`;
  await capturePast(
    {
      ...{ conversations: found, skipped, withTurns: turnsOf(path, found) },
      where: all ? where : `${where} in the last ${last}`,
      notes: [
        ...skipped.slice(0, NAMED).map(({ what, because }) =>
          `warning: left out ${what}: ${because}`
        ),
        ...skipped.length > NAMED ? [`warning: left out ${skipped.length - NAMED} more`] : [],
        ...all || total === 0 ? [] : [older],
        ...found.length === 0 ? [] : [`What they say is saved ${APPLIES[scope]}`],
      ],
      command: [
        `memo import conversations ${shellQuoted(path)}`,
        all ? "--all" : `--last ${last}`,
        ...scope === "user" ? [] : [`--scope ${scope}`],
      ].join(" "),
    },
    options,
    context,
  );
}

/** What an export has that is new since a time, oldest first. */
async function newChats(
  path: string,
  { since, cwd, capture, again }: {
    readonly since: number;
    readonly cwd: string;
    readonly capture: string;
    readonly again: boolean;
  },
) {
  const found: PastChat[] = [], skipped: Skipped[] = [];
  const services = new Set<string>();
  let total = 0, latest = "";
  using bar = progressBar("Reading");
  for await (const chat of readChats(path)) {
    if ("because" in chat) {
      skipped.push(chat);
      continue;
    }
    const { link: transcript, service, turns } = chat;
    const at = turns.at(-1)?.at ?? "";
    bar.update(++total, total + 1);
    services.add(service);
    if (at > latest) latest = at;
    if (at === "" || Date.parse(at) < since) continue;
    const known = again ? new Set() : capturedBeside(capture, transcript);
    const fresh = turns.filter(({ id }) => !known.has(id)).map((turn) => ({ ...turn, cwd }));
    const sums = questionsAbout(fresh);
    if (sums.questions > 0) found.push({ transcript, cwd, at, ...sums });
  }
  found.sort((a, b) => a.at < b.at ? -1 : 1);
  return { found, skipped, services, total, latest };
}

/** Characters of conversations that are held at a time: asking about them takes hours, and reading the export seconds. */
const GROUP_CHARS = 2 * 1024 * 1024;

/** The conversations in their order, each with its turns; the export, which has another order, is read for each group. */
async function* turnsOf(path: string, found: readonly PastChat[]) {
  for (let from = 0; from < found.length;) {
    let chars = 0;
    const rest = found.slice(from).findIndex((each) => (chars += each.chars) > GROUP_CHARS);
    const group = found.slice(from, rest < 0 ? undefined : from + Math.max(rest, 1));
    from += group.length;
    const wanted = new Map(group.map((each) => [each.transcript, each]));
    const read = new Map<string, readonly Turn[]>();
    for await (const chat of readChats(path)) {
      if ("because" in chat) continue;
      const { cwd } = wanted.get(chat.link) ?? {};
      if (cwd === undefined) continue;
      read.set(chat.link, chat.turns.map((turn) => ({ ...turn, cwd })));
      if (read.size === wanted.size) break;
    }
    for (const each of group) yield { ...each, turns: read.get(each.transcript) ?? [] };
  }
}
