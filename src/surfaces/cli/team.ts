import { type Command, InvalidArgumentError } from "commander";
import type { CliContext } from "./shared/command.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { allFoldersOf, TEAM_NAME } from "../../core/memory/teams.ts";
import {
  alikeIn,
  approvedIn,
  changeRules,
  type Decided,
  findVersion,
  idOf,
  isBeside,
  joinTeam,
  keepShown,
  leaveTeam,
  makeToken,
  membership,
  memberships,
  memoryOf,
  pendingVersions,
  personName,
  poll,
  refuseUnread,
  type ReviewDecision,
  serverUrl,
  statusOf,
} from "../../features/team/mod.ts";
import { counted } from "../../core/text/counted.ts";
import { visible } from "../../core/text/neutralise.ts";
import { configHere } from "./shared/config_here.ts";
import { notifyDaemon } from "./shared/change.ts";
import { refuseModel } from "../../features/verbs/changed.ts";
import { confirm } from "./shared/confirm.ts";
import type { Flags, Json } from "./shared/options.ts";
import { columns, out, outJson, paint, printNothing, say } from "./shared/output.ts";
import { review } from "../../features/verbs/accept.ts";

/** `memo team`: memories that a team shares through a libSQL server once a person has approved them. */
export function define(command: Command, context: CliContext): void {
  const joining = (name: string, what: string) =>
    command.command(name).description(what)
      .argument("[name]", "The team, such as `platform`")
      .argument("[url]", "Its libSQL server, such as `libsql://notes.example.com`")
      .option("--token-file <file>", "File with the token for the server")
      .option("--as <person>", "Your name in the team")
      .option("--json", "Print JSON: {name, url, as, notes}");
  joining("create", "Create a team on a server and join it")
    .option("--alone <person...>", "Authors who may approve their own memories")
    .action((name, url, flags: JoinFlags) => join({ name, url, flags, isNew: true }, context));
  joining("join", "Join a team: your sessions get its approved memories")
    .action((name, url, flags: JoinFlags) => join({ name, url, flags, isNew: false }, context));
  command.command("leave").description("Leave a team and remove its memories from this machine")
    .argument("<name>", "The team")
    .option("-y, --yes", "Even if some of your proposals are not sent yet")
    .option("--json", "Print JSON: {name, notes}")
    .action((name: string, flags: TeamFlags) => leave(name, flags, context));
  command.command("status", { isDefault: true }).description(
    "Show your teams and when each was last updated",
  )
    .action((flags: TeamFlags) => status(flags, context));
  command.command("sync").description("Fetch updates and send pending changes")
    .option("--quiet", "Print only errors")
    .action((flags: TeamFlags) => syncAll(flags, context));
  defineReview(command, context);
  command.command("alone").description("Set the authors who may approve their own memories")
    .argument("<name>", "The team")
    .argument("[person...]", "The authors, replacing the current ones (none: nobody)")
    .option("--json", "Print JSON: {name, alone}")
    .action(async (name: string, alone: string[], { json }: TeamFlags) => {
      refuseModel(context.env, "change a team's rules", `memo team alone ${name}`);
      const now = await changeRules(membership(name, context.paths), alone);
      if (json) return outJson({ name, alone: now });
      say(
        now.length === 0
          ? `In \`${name}\` every memory needs another person's approval`
          : `In \`${name}\` these authors approve their own memories: ${now.join(", ")}`,
      );
    });
  command.command("token").description("Sign a token for the server with its key")
    .argument("<name>", "The team")
    .option("--ro", "For reading")
    .option("--rw", "For reading, proposing and approving")
    .requiredOption("--key-file <file>", "The server's Ed25519 private key, in PEM")
    .option("--namespace <name>", "The server's namespace", "default")
    .option("--days <number>", "Days it is valid", days, 365)
    .option("--json", "Print JSON: {name, access, token}")
    .action((name: string, { ro, rw, keyFile, namespace, days, json }) => {
      if (ro === rw) {
        throw new MemoError("usage", "Cannot sign a token: it must be for reading or for writing", {
          hint: "Add `--ro` or `--rw`",
        });
      }
      const access = ro ? "ro" : "rw";
      const hint = "Pass the file with the server's private key";
      const pem = readGiven("the key", resolve(context.cwd, keyFile), hint);
      const token = makeToken(pem, { access, namespace, days, now: new Date() });
      if (json) return outJson({ name, access, token });
      out(`${token}\n`);
    });
}

type TeamFlags = Flags<"yes" | "quiet" | "json">;

interface JoinFlags extends TeamFlags {
  readonly tokenFile?: string;
  readonly as?: string;
  readonly alone?: string[];
}

/** Joins the team that the environment names, as a new container does; undefined if it names none. */
export async function joinFromEnvironment(context: CliContext): Promise<string | undefined> {
  if (!context.env["MEMO_TEAM_URL"]) return undefined;
  const { name, as, notes } = await joined({ flags: {}, isNew: false }, context);
  return `Joined the team ${name} as ${as}: ${counted(notes, "memory")}`;
}

async function join(wanted: Parameters<typeof joined>[0], context: CliContext): Promise<void> {
  const { name, url, as, notes } = await joined(wanted, context);
  if (wanted.flags.json) return outJson({ name, url, as, notes });
  out(`${name}\n`);
  say(
    wanted.isNew
      ? `Created the team \`${name}\`; propose a memory: \`memo share MEMORY --to ${name}\``
      : `Joined \`${name}\` as ${visible(as)}; it has ${counted(notes, "approved memory")}`,
  );
}

async function joined(
  { flags, isNew, ...words }: {
    readonly name?: string | undefined;
    readonly url?: string | undefined;
    readonly flags: JoinFlags;
    readonly isNew: boolean;
  },
  context: CliContext,
) {
  const { env, paths } = context;
  const verb = isNew ? "create" : "join";
  refuseModel(env, `${verb} a team`, `memo team ${verb}`);
  const url = serverUrl(words.url ?? needed(env["MEMO_TEAM_URL"], "URL", "MEMO_TEAM_URL"));
  const name = words.name ?? env["MEMO_TEAM_NAME"] ?? "team";
  const as = personName(flags.as ?? needed(env["MEMO_TEAM_AS"], "--as PERSON", "MEMO_TEAM_AS"));
  if (as === undefined || !TEAM_NAME.test(name)) {
    const message = as === undefined
      ? `Cannot join as \`${visible(flags.as ?? "")}\`: that is not a name`
      : `Cannot name a team \`${visible(name)}\``;
    throw new MemoError("usage", message, {
      hint: "Name a person as in `--as 'Ada Lovelace'`, a team with letters, digits and hyphens",
    });
  }
  const token = tokenFrom(flags, context);
  const alone = isNew ? flags.alone ?? [] : undefined;
  const { team, sentAgain } = await joinTeam({ name, url, as, token, alone }, paths);
  await notifyDaemon(context);
  printSetBack(name, sentAgain);
  return { name, url, as, notes: approvedIn(team) };
}

function needed(value: string | undefined, what: string, variable: string): string {
  if (value !== undefined && value !== "") return value;
  throw new MemoError("usage", `Cannot join a team without \`${what}\``, {
    hint: `Run \`memo team join NAME URL --token-file FILE --as PERSON\`, or set \`${variable}\``,
  });
}

function tokenFrom({ tokenFile }: JoinFlags, { env, cwd }: CliContext): string | undefined {
  if (tokenFile === undefined) return env["MEMO_TEAM_TOKEN"]?.trim() || undefined;
  const path = resolve(cwd, tokenFile);
  const hint = "Pass a file that contains only the token";
  const token = readGiven("the token", path, hint).trim();
  if (/^\S{1,8192}$/.test(token)) return token;
  throw new MemoError("usage", `Cannot use \`${path}\`: it contains no token`, { hint });
}

function readGiven(what: string, path: string, hint: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const message = `Cannot read ${what} in \`${path}\`: ${messageOf(error)}`;
    throw new MemoError("file", message, { hint });
  }
}

async function leave(name: string, { yes, json }: TeamFlags, context: CliContext): Promise<void> {
  const member = membership(name, context.paths);
  const { unsent: waiting, notes } = statusOf(member);
  if (waiting > 0 && !yes) {
    const what = `${counted(waiting, "proposal")} not sent yet`;
    const isSure = process.stdin.isTTY && await confirm(`Leave \`${name}\` with ${what}?`);
    if (!isSure) {
      throw new MemoError("usage", `Cannot leave \`${name}\`: ${what}`, {
        hint: "Run `memo team sync` to send them, or add `--yes` to drop them",
      });
    }
  }
  const folders = allFoldersOf(member.folder).length;
  leaveTeam(member);
  if (folders > 0) await notifyDaemon(context);
  if (json) return outJson({ name, notes });
  say(`Left \`${name}\`; removed ${counted(notes, "memory")} from this machine`);
}

function status({ json }: TeamFlags, context: CliContext): void {
  const { paths } = context;
  const all = memberships(paths).map(statusOf);
  if (json) return outJson(all);
  if (all.length === 0) say("You are not in a team");
  const [name, url] = configHere(context)["team.suggest"].split(/\s+/, 2);
  const isSuggested = name && url && !all.some((each) => each.name === name);
  if (isSuggested) say(visible(`This repository suggests the team \`${name}\` at ${url}`));
  if (isSuggested || all.length === 0) {
    const which = isSuggested ? visible(`${name} ${url}`) : "NAME URL";
    say(`hint: Run \`memo team join ${which} --token-file FILE --as PERSON\``);
  }
  for (const { name, url, as, notes, pending, unsent, read, failed, wentBack } of all) {
    out(columns([[
      paint("bold", name),
      `${counted(notes, "memory")}, ${pending} pending`,
      `as ${visible(as)}`,
      paint("dim", url),
    ]]));
    say(`  last updated: ${read === null ? "never" : ageOf(read)}`);
    if (wentBack !== null) say(`  server rolled back, as from a backup: ${ageOf(wentBack)}`);
    if (failed !== null) say(`  warning: ${failed.because}`);
    if (failed?.hint !== undefined) say(`  hint: ${failed.hint}`);
    if (unsent > 0) {
      say(`  ${counted(unsent, "proposal")} not sent yet; \`memo team sync\` tries again`);
    }
  }
}

function ageOf(at: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return minutes === 0 ? "just now" : `${counted(minutes, "minute")} ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${counted(hours, "hour")} ago` : `${Math.round(hours / 24)} days ago`;
}

async function syncAll({ quiet, json }: TeamFlags, context: CliContext): Promise<void> {
  const results = [];
  for (const member of memberships(context.paths)) {
    try {
      const polled = await poll(member, new Date());
      const { received, sent, written, removed, setAside, sentAgain } = polled;
      if (written + removed > 0) await notifyDaemon(context);
      results.push({ name: member.name, received, sent, written, removed, setAside, sentAgain });
      printSetBack(member.name, sentAgain);
      for (const path of setAside) {
        say(`warning: a copy of a memory was edited by hand; your text is in \`${path}\``);
      }
      if (!quiet && !json) {
        say(`${member.name}: received ${counted(received, "entry")}, sent ${sent}`);
      }
    } catch (error) {
      process.exitCode = 2;
      results.push({ name: member.name, error: messageOf(error) });
      say(`error: ${messageOf(error)}`);
      if (error instanceof MemoError && error.hint !== undefined) say(`hint: ${error.hint}`);
    }
  }
  if (json) outJson(results);
  else if (results.length === 0 && !quiet) say("You are not in a team");
}

function printSetBack(name: string, rows: number | undefined): void {
  if (rows === undefined) return;
  say(
    `warning: the server of \`${name}\` was rolled back, as from a backup; memo has read it again`,
  );
  say(`  Sent it ${counted(rows, "lost entry")} again`);
}

function days(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 3650) {
    throw new InvalidArgumentError("Pass a number of days, such as 90");
  }
  return number;
}

function defineReview(command: Command, context: CliContext): void {
  const about = (name: string, what: string) =>
    command.command(name).description(what)
      .argument("<id>", "`ID` or `ID@VERSION`, as `memo team pending` prints it");
  command.command("pending").description("List proposals that need approval")
    .argument("[name]", "Only this team")
    .action((name, flags) => pending(name, flags, context));
  about("show", "Show a team's memory, and similar ones")
    .action((id, flags) => show(id, flags, context));
  for (const [name, what, decision] of DECISIONS) {
    about(name, what).action((id, flags) => decide(id, decision, { ...context, ...flags }));
  }
}

const DECISIONS = [
  ["approve", "Approve a proposal: everyone's sessions get it", "approved"],
  ["reject", "Reject a proposal", "rejected"],
  ["retire", "Withdraw an approved memory for everyone", "retired"],
] as const satisfies readonly (readonly [name: string, what: string, decision: ReviewDecision])[];

async function pending(name: string | undefined, { json }: Json, context: CliContext) {
  const waiting = await pendingVersions(name, { paths: context.paths, warn: say });
  if (json) return outJson(waiting.map(toJson));
  if (waiting.length === 0) return printNothing("Nothing needs approval");
  out(columns(waiting.map((found) => {
    const { type, name } = memoryOf(found.version.proposal);
    return [paint("dim", idOf(found)), visible(type), visible(name), paint("dim", marksOf(found))];
  })));
  say(
    "hint: Run `memo team show ID` to read one, then `memo team approve ID` or `memo team reject ID`",
  );
}

async function show(id: string, { json }: Json, context: CliContext) {
  const found = await findVersion(id, "any", { paths: context.paths, warn: say });
  keepShown(found.member, found.note.id, found.version.proposal.sha256);
  if (json) return outJson(toJson(found));
  const { version: { proposal, approved }, member, note: { current } } = found;
  const { author, at, origin: { commit, remotes = [] }, body } = proposal;
  const { name } = memoryOf(proposal);
  const changes = approved === undefined && current !== undefined ? [current.proposal] : [];
  const beware = "the approved text has changed since this was proposed";
  const facts = [
    ["memory", `${idOf(found)} of team ${member.name}`],
    ["by", `${visible(author)}, ${at.slice(0, 10)}`],
    ...approved === undefined ? [] : [["approved by", visible(approved.author)]],
    ...commit === undefined ? [] : [["commit", commit]],
    ...remotes.map((remote) => ["for", visible(remote)]),
    ...changes.map((changed) => ["changes", visible(memoryOf(changed).name)]),
    ...isBeside(found) ? [["beware", beware]] : [],
    ...alikeIn(found.team, proposal).map(({ id, name, how }) => [
      how === "same" ? "repeats" : "differs from",
      `${id} ${visible(name)}`,
    ]),
  ];
  out(`${paint("bold", visible(name))}\n${columns(facts)}\n${visible(body).trimEnd()}\n`);
}

async function decide(
  id: string,
  decision: ReviewDecision,
  { json, ...context }: CliContext & Json,
) {
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
    ...isBeside(found) ? ["based on an older text"] : [],
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
