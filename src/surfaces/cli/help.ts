import type { Command } from "commander";
import { MemoError } from "../../errors.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { CliContext } from "./shared/command.ts";
import { columns, out } from "./shared/output.ts";
import { HOOK_EVENTS, TIMEOUT_SECONDS } from "../../../hooks/events.ts";
import { memoryFolders } from "../../core/memory/scopes.ts";
import { TYPES } from "../../core/memory/types.ts";
import { tilde } from "../../paths.ts";
import { FIRST, PURPOSES } from "../../core/settings/purposes.ts";
import { refused, SETTINGS, variableOf } from "../../core/settings/table.ts";

/** `memo help`: explains a command or a topic. */
export function define(command: Command, context: CliContext): void {
  command
    .argument("[topic...]", "A command, such as `config set`, or a topic")
    .addHelpText("after", `\nTopics:\n${topics()}`)
    .action((words: string[]) => explain(words, command.parent!, context));
}

function topics(): string {
  return `${rows(TOPICS.map(({ name, summary }) => [name, summary]))}\n`;
}

function explain(words: readonly string[], program: Command, context: CliContext): void {
  if (words.join(" ") === "topics") return out(`${topics()}\n`);
  const topic = TOPICS.find(({ name }) => name === words[0]);
  if (topic !== undefined && words.length === 1) return out(`${topic.text(context).trimEnd()}\n`);
  let command = program;
  if (words.length === 0) program.addHelpText("after", `\nTopics of \`memo help\`:\n${topics()}`);
  for (const word of words) {
    command = command.commands.find((each) => each.name() === word) ?? unknown(word, command);
  }
  command.outputHelp();
}

function unknown(word: string, command: Command): never {
  const topics = command.parent === null ? TOPICS : [];
  const known = [...command.commands.map((each) => each.name()), ...topics.map(({ name }) => name)];
  const near = nearest(word, known);
  const meant = near === undefined ? "" : `Did you mean \`${near}\`? `;
  const hint = `${meant}Run \`memo help topics\` to list the topics`;
  throw new MemoError("usage", `No help for \`${word}\``, { hint });
}

/** What `memo help` explains besides the commands. */
export interface HelpTopic {
  readonly name: string;
  readonly summary: string;
  readonly text: (context: CliContext) => string;
}

/** Every topic, in display order. */
export const TOPICS: readonly HelpTopic[] = [
  { name: "examples", summary: "Commands to try first", text: () => EXAMPLES },
  { name: "memories", summary: "The format of a memory file", text: memories },
  { name: "files", summary: "Where memo keeps its files", text: files },
  { name: "hooks", summary: "What memo does on each Claude Code event", text: hooks },
  { name: "privacy", summary: "What may be sent to a language model, and when", text: privacy },
  { name: "settings", summary: "All settings and their defaults", text: settings },
  { name: "environment", summary: "Environment variables", text: environment },
  { name: "exit-codes", summary: "What the exit codes mean", text: exitCodes },
];

const EXAMPLES = `memo init                         Set up memo step by step
memo add "Use pnpm, never npm"    Save a memory
memo search pnpm                  Find it again
memo recall "install it with npm?" --explain
                                  See which memories a prompt would get, and why`;

function memories(): string {
  const types = TYPES.filter(({ name }) => name !== "*");
  return `A memory is a Markdown file. The front matter needs only these three lines:

  ---
  name: Use pnpm
  description: Package manager of all our repositories
  type: feedback
  ---
  pnpm, never npm.

memo adds the rest: triggers (example prompts that should retrieve the memory), tags,
confidence, created, updated, supersedes, source. \`pin: true\` shows its title in every session.
memo picks up a file as soon as you save it; \`memo add\` and \`memo edit\` write it for you.

Types:
${rows(types.map(({ name, keeps }) => [name, keeps]))}`;
}

function files({ paths, env, place }: CliContext): string {
  const places = [
    ...memoryFolders(place).map(({ scope, path }) => [`memories, ${scope}`, path]),
    ["settings", paths.config],
    ["index", paths.db],
    ["logs", paths.logs],
    ["other state", paths.state],
  ];
  return `The Markdown files are the source of truth; everything else can be deleted and rebuilt.

${rows(places.map(([what, path]) => [what!, tilde(path!, env)]))}`;
}

function hooks(): string {
  const events = HOOK_EVENTS.map((each) => [each.name, `${each.deadlineMs} ms`, each.purpose]);
  return `\`memo init\` adds a hook for each event, with a deadline:

${rows(events)}

Claude Code itself waits ${TIMEOUT_SECONDS} s. A hook always exits 0 and prints no errors;
\`memo recall --log\` and \`memo doctor\` show them. Type \`memo pause\` in a session to silence memo
there; \`memo uninstall\` removes the hooks.`;
}

function privacy(): string {
  const purposes = PURPOSES.map(({ name, sends, when }) => [name, `${sends}; ${when}`]);
  return `Nothing is sent until you turn it on in \`memo init\`, which allows only \`${FIRST}\`. The rest is
allowed by turning on what needs it, or by name: \`memo config set send=capture,ask\`. Secrets are
removed first. \`llm.daily_calls\` and \`llm.daily_usd\` limit each day.

${rows(purposes)}

\`memo config set send=off\` stops all of it; in a session, \`memo pause\` silences memo. A
session's variables can only narrow what you allowed, and can only name servers in \`llm.hosts\`.
\`memo stats\` shows each call and its cost.`;
}

function settings(): string {
  const settings = SETTINGS.map(({ key, default: value = "by type", summary }) => [
    ...[key, String(value), summary],
  ]);
  return `\`memo config set KEY=VALUE\` changes a setting, \`memo config list\` shows the effective values.

${rows(settings)}

To send nothing to a language model: \`memo config set send=off\`. To silence memo in one session,
type \`memo pause\` there.`;
}

/** The variables that are not those of settings. */
const VARIABLES = [
  ["MEMO_HOME", "Folder for memo's state and settings (default: the platform's)"],
  ["CLAUDE_CONFIG_DIR", "Claude Code's folder, if not ~/.claude"],
  ["ANTHROPIC_API_KEY", "API key for the language model; also ANTHROPIC_AUTH_TOKEN"],
  ["ANTHROPIC_BASE_URL", "Another Messages API server; its host must be in `llm.hosts`"],
  ["CLAUDE_HEADLESS", "1: hooks do nothing"],
  ["EDITOR, VISUAL", "Editor that `memo edit` opens"],
  ["NO_COLOR", "Turns colour off"],
] as const;

function environment(): string {
  const overrides = SETTINGS.filter(({ key, narrow }) => !key.endsWith(".*") && narrow !== refused)
    .map(({ key, narrow }) => [variableOf(key), narrow ? `${key}, only to restrict it` : key]);
  return `${rows(VARIABLES)}

Each of these overrides a setting for one session:
${rows(overrides)}`;
}

function exitCodes(): string {
  return `  0  success
  1  nothing found, or a check failed
  2  an error: stderr says what failed, why, and what to do

\`memo hook\` always exits 0. With \`--json\`, errors are also printed as JSON on stdout.`;
}

function rows(cells: readonly (readonly string[])[]): string {
  return columns(cells.map(([first, ...others]) => [`  ${first}`, ...others])).trimEnd();
}
