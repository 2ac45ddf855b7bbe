import type { Command } from "commander";
import { MemoError } from "../../../errors.ts";
import { type Alike, alikeIn } from "../../../features/team/alike.ts";
import type { Decided, Decision } from "../../../features/team/decide.ts";
import { type Entry, memoryOf } from "../../../features/team/entry.ts";
import { fold, type Team } from "../../../features/team/fold.ts";
import {
  entriesOf,
  keepShown,
  type Membership,
  memberships,
  shownIn,
} from "../../../features/team/membership.ts";
import { poll } from "../../../features/team/poll.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { review } from "../../../features/verbs/review.ts";
import { tellDaemon } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, say, sayNothing } from "../shared/output.ts";

/** Characters of a digest in `ID@VERSION`: too many for another text to be made that begins alike. */
const SHORT = 16;

/** The commands by which people decide what a team's notes say. */
export function defineReview(command: Command, context: CliContext): void {
  const about = (name: string, what: string) =>
    command.command(name).description(what)
      .argument("<id>", "Note, or `ID@VERSION` of it, as `memo team pending` prints it")
      .option("--json", "Print JSON");
  command.command("pending").description("List what waits for approval")
    .argument("[name]", "Only this team")
    .option("--json", "Print JSON")
    .action((name: string | undefined, { json }: { json?: boolean }) =>
      pending(name, json, context)
    );
  about("show", "Show a note of a team, and what is like it").action((id, { json }) =>
    show(id, json, context)
  );
  about("approve", "Let a proposal in: it comes up in everybody's sessions").action((
    id,
    { json },
  ) => decide(id, "approved", json, context));
  about("reject", "Turn a proposal down").action((id, { json }) =>
    decide(id, "rejected", json, context)
  );
  about("retire", "Take an approved note back, for everybody").action((id, { json }) =>
    decide(id, "retired", json, context)
  );
}

async function pending(
  name: string | undefined,
  json: boolean | undefined,
  context: CliContext,
): Promise<void> {
  const members = memberships(context.paths).filter((each) =>
    name === undefined || each.name === name
  );
  const waiting: Decided[] = [];
  for (const member of members) {
    const team = await current(member);
    for (const note of team.notes) {
      for (const version of note.pending) waiting.push({ member, team, note, version });
    }
  }
  if (json) return outJson(waiting.map(toJson));
  if (waiting.length === 0) return sayNothing("Nothing waits for approval");
  out(columns(waiting.map((found) => {
    const { type, name } = memoryOf(found.version.proposal);
    return [paint("dim", idOf(found)), visible(type), visible(name), paint("dim", marksOf(found))];
  })));
  say("hint: Run `memo team show ID` to read one, then `memo team approve ID` or `reject ID`");
}

async function show(id: string, json: boolean | undefined, context: CliContext): Promise<void> {
  const found = await find(id, context, "any");
  keepShown(found.member, found.note.id, found.version.proposal.sha256);
  if (json) return outJson(toJson(found));
  const { version: { proposal, approved }, member, note } = found;
  const { name } = memoryOf(proposal);
  const facts = [
    ["note", `${idOf(found)} of team ${member.name}`],
    ["by", `${visible(proposal.author)}, ${proposal.at.slice(0, 10)}`],
    ...approved === undefined ? [] : [["approved by", visible(approved.author)]],
    ...proposal.origin.commit === undefined ? [] : [["commit", proposal.origin.commit]],
    ...(proposal.origin.remotes ?? []).map((remote) => ["for", visible(remote)]),
    ...found.note.current !== undefined && approved === undefined
      ? [["changes", visible(memoryOf(note.current!.proposal).name)]]
      : [],
    ...isBeside(found)
      ? [["beware", "the approved text is another than the one that it changes"]]
      : [],
    ...alikeOf(found).map(({ id, name, how }) => [
      how === "same" ? "repeats" : "differs from",
      `${id} ${visible(name)}`,
    ]),
  ];
  out(`${paint("bold", visible(name))}\n${columns(facts)}\n${visible(proposal.body).trimEnd()}\n`);
}

/** Which versions each decision is about. */
const ABOUT = {
  approved: "pending",
  rejected: "pending",
  retired: "current",
} as const satisfies Record<Decision, About>;

type About = "pending" | "current" | "any";

async function decide(
  id: string,
  decision: Decision,
  json: boolean | undefined,
  context: CliContext,
): Promise<void> {
  const { env } = context;
  const about = ABOUT[decision];
  const { said, meanwhile, notes: [found] } = await review(
    async () => {
      const found = await find(id, context, about);
      if (about === "pending") refuseUnread(found, id);
      return [found];
    },
    decision,
    { now: new Date(), env },
  );
  const { member, note, version: { proposal } } = found!;
  await tellDaemon(context);
  const { name } = memoryOf(proposal);
  if (json) return outJson({ id: note.id, team: member.name, name, decision, meanwhile });
  say(said);
  for (const each of meanwhile) say(each);
}

/** Throws unless the version that waits is the one that was shown here, or that the command names. */
function refuseUnread({ member, note, version: { proposal } }: Decided, id: string): void {
  const shown = shownIn(member)[note.id];
  if (shown === proposal.sha256 || (id.split("@")[1] ?? "").length >= SHORT) return;
  throw new MemoError(
    "usage",
    `Cannot decide about \`${id}\`: ${
      shown === undefined ? "you have not read it" : "its text is another than the one you read"
    }`,
    {
      hint:
        `Run \`memo team show ${note.id}\` first, or name a version, as \`memo team pending\` does`,
    },
  );
}

/** A team as its server has it now; where that cannot be reached, as it was last known, with a warning. */
async function current(member: Membership): Promise<Team> {
  try {
    return (await poll(member, new Date())).team;
  } catch (error) {
    if (!(error instanceof MemoError)) throw error;
    say(`warning: ${error.message}; this is what was known before`);
    return fold(entriesOf(member));
  }
}

/** The version that an id means, in whichever team. */
async function find(id: string, { paths }: CliContext, about: About): Promise<Decided> {
  const [wanted = "", digest = ""] = id.toLowerCase().split("@");
  const found: Decided[] = [];
  for (const member of memberships(paths)) {
    const team = await current(member);
    for (
      const note of team.notes.filter((each) => wanted.length >= 4 && each.id.startsWith(wanted))
    ) {
      const versions = [
        ...about === "pending" || note.current === undefined ? [] : [note.current],
        ...about === "current" ? [] : note.pending,
      ].filter(({ proposal }) => proposal.sha256.startsWith(digest));
      const read = about === "pending" && digest === ""
        ? versions.filter(({ proposal }) => proposal.sha256 === shownIn(member)[note.id])
        : [];
      found.push(...(read.length > 0 ? read : versions)
        .map((version) => ({ member, team, note, version })));
    }
  }
  const one =
    found.length > 1 && about === "any" && new Set(found.map(({ note }) => note)).size === 1
      ? found.slice(-1)
      : found;
  if (one.length === 1) return one[0]!;
  if (one.length === 0) {
    throw new MemoError("not-found", `Cannot find \`${id}\` among the notes of your teams`, {
      hint: about === "current" ? "Run `memo list --scope team`" : "Run `memo team pending`",
    });
  }
  throw new MemoError(
    "usage",
    `\`${id}\` is ambiguous:\n${
      one.map((each) => `  ${idOf(each)} by ${visible(each.version.proposal.author)}`).join(
        "\n",
      )
    }`,
    { hint: "Pass one of these" },
  );
}

/** How a version is named: by its note and its digest. */
function idOf({ note, version: { proposal } }: Decided): string {
  return `${note.id}@${proposal.sha256.slice(0, SHORT)}`;
}

/** Whether it changes a text that is no longer the approved one. */
function isBeside({ note, version: { proposal, approved } }: Decided): boolean {
  return approved === undefined && note.current !== undefined &&
    proposal.supersedes !== note.current.proposal.sha256;
}

function alikeOf({ team, version: { proposal } }: Decided): Alike[] {
  return alikeIn(team, proposal);
}

function marksOf(found: Decided): string {
  const { member, note, version: { proposal } } = found;
  const alike = alikeOf(found);
  return [
    `${member.name}, by ${visible(proposal.author)}`,
    ...note.current !== undefined ? ["a change"] : [],
    ...isBeside(found) ? ["of an older text"] : [],
    ...alike.slice(0, 2).map(({ how, name }) =>
      `${how === "same" ? "repeats" : "differs from"} “${visible(name)}”`
    ),
  ].join("; ");
}

function toJson(found: Decided) {
  const { member, note, version: { proposal, approved } } = found;
  const { name, type, description } = memoryOf(proposal);
  const { author, at, origin, body, sha256 } = proposal;
  return {
    ...{ team: member.name, id: note.id, version: sha256, name, type, description, author, at },
    ...{ ...origin, text: body, approvedBy: approvedBy(approved) },
    changes: approved === undefined ? note.current?.proposal.sha256 ?? null : null,
    isBeside: isBeside(found),
    alike: alikeOf(found),
  };
}

function approvedBy(approved: Entry | undefined): string | null {
  return approved?.author ?? null;
}
