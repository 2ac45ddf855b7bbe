import type { Command } from "commander";
import {
  alikeIn,
  type Decided,
  type Decision,
  findVersion,
  idOf,
  isBeside,
  keepShown,
  memoryOf,
  pendingVersions,
  refuseUnread,
} from "../../../features/team/mod.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { review } from "../../../features/verbs/accept.ts";
import { notifyDaemon } from "../shared/change.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, printNothing, say } from "../shared/output.ts";

const DECISIONS = [
  ["approved", "approve", "Let a proposal in: it comes up in everybody's sessions"],
  ["rejected", "reject", "Turn a proposal down"],
  ["retired", "retire", "Take an approved note back, for everybody"],
] as const;

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
  for (const [decision, name, what] of DECISIONS) {
    about(name, what).action((id, { json }) => decide(id, decision, json, context));
  }
}

async function pending(
  name: string | undefined,
  json: boolean | undefined,
  context: CliContext,
): Promise<void> {
  const waiting = await pendingVersions(name, { paths: context.paths, warn: say });
  if (json) return outJson(waiting.map(toJson));
  if (waiting.length === 0) return printNothing("Nothing waits for approval");
  out(columns(waiting.map((found) => {
    const { type, name } = memoryOf(found.version.proposal);
    return [paint("dim", idOf(found)), visible(type), visible(name), paint("dim", marksOf(found))];
  })));
  say("hint: Run `memo team show ID` to read one, then `memo team approve ID` or `reject ID`");
}

async function show(id: string, json: boolean | undefined, context: CliContext): Promise<void> {
  const found = await findVersion(id, "any", { paths: context.paths, warn: say });
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
    ...alikeIn(found.team, proposal).map(({ id, name, how }) => [
      how === "same" ? "repeats" : "differs from",
      `${id} ${visible(name)}`,
    ]),
  ];
  out(`${paint("bold", visible(name))}\n${columns(facts)}\n${visible(proposal.body).trimEnd()}\n`);
}

async function decide(
  id: string,
  decision: Decision,
  json: boolean | undefined,
  context: CliContext,
): Promise<void> {
  const { env, paths } = context;
  const about = decision === "retired" ? "current" : "pending";
  const { said, meanwhile, notes: [found] } = await review(
    async () => {
      const found = await findVersion(id, about, { paths, warn: say });
      if (about === "pending") refuseUnread(found, id);
      return [found];
    },
    decision,
    { now: new Date(), env },
  );
  const { member, note, version: { proposal } } = found!;
  await notifyDaemon(context);
  const { name } = memoryOf(proposal);
  if (json) return outJson({ id: note.id, team: member.name, name, decision, meanwhile });
  say(said);
  for (const each of meanwhile) say(each);
}

function marksOf(found: Decided): string {
  const { member, note, version: { proposal } } = found;
  const alike = alikeIn(found.team, proposal);
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
    ...{ ...origin, text: body, approvedBy: approved?.author ?? null },
    changes: approved === undefined ? note.current?.proposal.sha256 ?? null : null,
    isBeside: isBeside(found),
    alike: alikeIn(found.team, proposal),
  };
}
