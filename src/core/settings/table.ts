import { isAbsolute } from "node:path";
import { MemoError } from "../../errors.ts";
import { ownPatterns } from "../redact/mod.ts";
import { ownForms } from "../text/language/short_forms.ts";
import { checkSend, isOnHost, narrowSend, OFF, ON, PURPOSES } from "./purposes.ts";

/** The value of a setting. */
export type Value = string | number | boolean;

/** What is in force where a variable asks for another value than the person's own; undefined: the variable is refused. */
type Narrow = (own: Value, asked: Value, config: Readonly<Record<string, unknown>>) =>
  | Value
  | undefined;

/** One setting: everything that help, docs, validation and the `MEMO_*` variables are derived from. */
export interface Setting {
  /** Dotted key in `config.yaml`; a last part `*` stands for the name of a memory type. */
  readonly key: string;
  readonly kind: "string" | "integer" | "number" | "boolean";
  /** undefined only for per-type settings, whose default is the type's own row. */
  readonly default: string | number | boolean | undefined;
  readonly summary: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** Throws for a text that cannot be used. */
  readonly check?: (value: string) => unknown;
  /** Whether a project's `.claude/memo.yaml` may set it: nothing that redirects data, runs anything or ranks. */
  readonly project: boolean;
  /** A project may lower it, but no further: it must not silence the user's own memories. */
  readonly projectMin?: number;
  /** A project may turn it off and not on. */
  readonly projectOff?: true;
  /** A variable, which a project can set for its sessions, may only narrow it; default: it overrides the file. */
  readonly narrow?: Narrow;
  /** Hardly anybody needs it: `memo config list` shows it once it is set, and with `--all`. */
  readonly isRare?: true;
}

const lower: Narrow = (own, asked) => Number(asked) < Number(own) ? asked : own;
const refused: Narrow = () => undefined;

/** What only some settings have. */
type More = Partial<
  Pick<Setting, "choices" | "check" | "project" | "projectMin" | "projectOff" | "narrow" | "isRare">
>;

function text<K extends string>(key: K, usual: string, summary: string, more: More = {}) {
  return { project: false, ...more, key, kind: "string" as const, default: usual, summary };
}

function flag<K extends string>(key: K, usual: boolean, summary: string, more: More = {}) {
  return { project: false, ...more, key, kind: "boolean" as const, default: usual, summary };
}

function number<K extends string>(
  key: K,
  usual: number,
  [min, max]: readonly [number, number],
  summary: string,
  more: More = {},
) {
  const kind: Setting["kind"] = "number";
  return { project: false, ...more, key, kind, default: usual, min, max, summary };
}

function integer<K extends string>(...row: Parameters<typeof number<K>>) {
  return { ...number(...row), kind: "integer" as const };
}

/** A named trade-off between quality and cost of recall; per-type settings override it. */
export interface Preset {
  readonly name: string;
  /** The strategy of every type; undefined: each type's own row. */
  readonly strategy: string | undefined;
  readonly summary: string;
  /** What its questions cost; undefined: it asks nobody. */
  readonly asks?: Asks | undefined;
}

/** Tokens per prompt, measured by `memo bench`: `retention` for a small store, `coding-agent` for a large one. */
export interface Asks {
  /** Read, with some twenty memories in a project. */
  readonly small: number;
  /** Read, with 266 memories, where lists of titles are cut. */
  readonly large: number;
  readonly output: number;
}

/** Every preset, cheapest first. */
export const PRESETS = [
  { name: "local", strategy: undefined, summary: "nothing is sent anywhere" },
  {
    name: "balanced",
    strategy: "verify",
    summary: "an LLM judges likely hits",
    asks: { small: 485, large: 650, output: 75 },
  },
  {
    name: "best",
    strategy: "sidequery",
    summary: "an LLM picks from all titles",
    asks: { small: 1240, large: 3000, output: 80 },
  },
] as const satisfies readonly Preset[];

/** The strategy that a preset puts in the place of a type's own. */
export function presetStrategy(name: string): string | undefined {
  return PRESETS.find((preset) => preset.name === name)?.strategy;
}

/** Every setting, in display order. */
export const SETTINGS = [
  text(
    "model",
    "builtin",
    "Embedding model: `builtin`, a folder with an ONNX model and its tokenizer, or an endpoint (`http://127.0.0.1:11434/v1#bge-m3`)",
    {
      check: checkModel,
      narrow: (_, asked) => /^https?:/i.test(String(asked)) ? undefined : asked,
    },
  ),
  text("embed.key_file", "", "File with the API key of an embedding endpoint", {
    narrow: refused,
    isRare: true,
  }),
  {
    key: "strategy.*",
    kind: "string",
    default: undefined,
    summary: "Strategy that ranks memories of this type",
    project: false,
  },
  {
    key: "threshold.*",
    kind: "number",
    default: undefined,
    summary: "Minimum score for a memory of this type to be recalled",
    project: false,
    min: 0,
    max: 1,
  },
  text(
    "recall.preset",
    "local",
    `How recall chooses: ${
      PRESETS.map(({ name, summary }) => `\`${name}\` (${summary})`).join(", ")
    }`,
    { choices: PRESETS.map(({ name }) => name) },
  ),
  integer(
    "recall.min_chars",
    10,
    [1, 1000],
    "Minimum prompt length in characters; half of it with two words that say something, and an identifier always passes",
    { isRare: true },
  ),
  integer("recall.max_memories", 5, [1, 20], "Maximum memories per context block", {
    project: true,
    projectMin: 3,
  }),
  integer(
    "recall.block_chars",
    4000,
    [500, 9500],
    "Maximum characters per context block; every later request sends the block again",
    { project: true, projectMin: 2000 },
  ),
  integer(
    "recall.start_chars",
    8000,
    [500, 9500],
    "Maximum characters of memory at session start: 8000 are some 2,000 tokens, sent anew once a session and read from the cache after that",
    { project: true, projectMin: 2000 },
  ),
  integer("recall.session_bytes", 61440, [0, 10_000_000], "Maximum bytes of memory per session", {
    isRare: true,
  }),
  text(
    "recall.moments",
    "all",
    "Where Claude gets a memory while it works: beside a failing command that it knows (`errors`), and with a file that it names too (`all`)",
    { choices: ["off", "errors", "all"] },
  ),
  text(
    "recall.words",
    "",
    "Your own short forms, one per line: with `kn: customer number` a prompt about the KN finds notes on the customer number, and the other way round",
    { check: ownForms },
  ),
  // The hook itself waits little longer.
  integer(
    "recall.deadline_ms",
    400,
    [20, 1000],
    "Deadline for retrieval in milliseconds; after it the prompt continues without memories",
    { isRare: true },
  ),
  text(
    "send",
    "",
    `What may be sent to a language model: \`${OFF}\`, \`${ON}\`, or some of ${
      PURPOSES.map(({ name }) => `\`${name}\``).join(", ")
    }; until it is set nothing is sent, and \`memo init\` asks`,
    { check: checkSend, narrow: (own, asked) => narrowSend(String(own), String(asked)) },
  ),
  text(
    "llm.provider",
    "auto",
    "Where memo sends its LLM calls; `auto` takes the first that is available",
    {
      choices: ["auto", "anthropic", "claude", "none"],
      narrow: (own, asked) => own === "auto" || asked === "none" ? asked : undefined,
    },
  ),
  text("llm.model", "claude-haiku-5-5", "Model for LLM calls; a small one is enough"),
  text(
    "llm.base_url",
    "",
    "Base URL of another server with the Messages API, such as a local one",
    {
      check: checkAddress,
      narrow: (own, asked, config) =>
        own === "" && isOnHost(String(asked), String(config["llm.hosts"])) ? asked : undefined,
      isRare: true,
    },
  ),
  text(
    "llm.hosts",
    "",
    "Hosts that `ANTHROPIC_BASE_URL` may name, separated by commas, such as your company's gateway; with any other nothing is sent",
    { narrow: refused, isRare: true },
  ),
  text("llm.key_file", "", "File with the API key, used when `ANTHROPIC_API_KEY` is not set", {
    narrow: refused,
    isRare: true,
  }),
  text(
    "llm.claude_path",
    "",
    "Path to Claude Code's executable, if `claude` is neither on the `PATH` nor where its installer puts it",
    { narrow: refused, isRare: true },
  ),
  integer("llm.daily_calls", 200, [0, 100_000], "Maximum LLM calls per day", {
    narrow: lower,
    isRare: true,
  }),
  number(
    "llm.daily_usd",
    1,
    [0, 10_000],
    "Daily spending limit in US dollars (models with known prices)",
    { narrow: lower },
  ),
  flag(
    "capture.enabled",
    true,
    "Write memories and a journal from conversations, if `send` has `capture`",
    { project: true, projectOff: true, narrow: lower },
  ),
  flag(
    "enrich.enabled",
    true,
    "Add example prompts to memories that have few, if `send` has `enrich`",
    { project: true, projectOff: true, narrow: lower },
  ),
  flag(
    "dream.enabled",
    true,
    "Merge and tidy memories from time to time; `memo dream --undo` reverts it",
    { project: true, projectOff: true, narrow: lower },
  ),
  text(
    "capture.scope",
    "auto",
    "Where new memories go: `auto` (what is about you, or applies everywhere, to yours, the rest to the project's private folder), `project` (all but those about you to the project's), `shared` (into the repository), `user` (all to yours)",
    { choices: ["auto", "user", "project", "shared"] },
  ),
  integer(
    "capture.session_calls",
    60,
    [0, 10_000],
    "Maximum LLM calls for capture per session and day; the rest waits for the next day",
    { narrow: lower, isRare: true },
  ),
  text(
    "extract.model",
    "",
    "Model for capture, if not `llm.model`; `extract_prompt.md` beside `config.yaml` replaces its prompt",
    { isRare: true },
  ),
  text(
    "team.suggest",
    "",
    "Team that a repository suggests, as `NAME URL`; `memo team status` shows it",
    { project: true, isRare: true },
  ),
  flag("sync.auto", false, "Run `memo sync` at the end of each session", { narrow: lower }),
  text(
    "briefing.file",
    "CLAUDE.md",
    "File in the project in which `memo config briefing --write` keeps a section",
    {
      choices: ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/rules/memo.md"],
      isRare: true,
    },
  ),
  flag(
    "briefing.refresh",
    false,
    "Update that section automatically after capture, once `memo config briefing --write` has created it",
  ),
  flag(
    "history.transcripts",
    false,
    "Keep what was said in conversations, without secrets and tool output, for `memo search --history`",
    { project: true, projectOff: true, narrow: lower },
  ),
  flag(
    "history.commits",
    true,
    "Find the project's commits with `memo search --history`, the 1,000 newest",
    { project: true, projectOff: true },
  ),
  integer(
    "history.days",
    365,
    [1, 36_500],
    "Days to keep stored conversations; Claude Code deletes its own after 30",
    { isRare: true },
  ),
  text(
    "redact.patterns",
    "",
    "Extra redaction patterns, one regular expression per line; a group named `secret` limits what is redacted",
    { check: ownPatterns, narrow: (own, asked) => [own, asked].filter((each) => each).join("\n") },
  ),
  text(
    "notify",
    "saves",
    "What Claude Code shows you of memo, in one line: memories saved or forgotten (`saves`), recalled too (`all`), nothing (`off`)",
    { choices: ["off", "saves", "all"] },
  ),
  number(
    "daemon.idle_minutes",
    30,
    [0.01, 10080],
    "Minutes without a request or open session before the daemon exits",
    { isRare: true },
  ),
  text("upgrade.releases", "", "URL of releases for `memo upgrade`, if not the built-in one", {
    check: checkAddress,
    isRare: true,
  }),
] as const satisfies readonly Setting[];

/** One row of `SETTINGS`. */
export type SettingRow = typeof SETTINGS[number];

/**
 * The name of the environment variable of a setting: `recall.min_chars` → `MEMO_RECALL_MIN_CHARS`, `strategy.*` →
 * `MEMO_STRATEGY`.
 */
export function variableOf(key: string): string {
  return "MEMO_" + key.replace(/\.\*$/, "").toUpperCase().replace(/[^A-Z0-9]/g, "_");
}

/** The row of `SETTINGS` that a concrete key such as `strategy.feedback` belongs to. */
export function settingOf(key: string): Setting | undefined {
  return SETTINGS.find((row) => row.key === key) ??
    SETTINGS.find((row) =>
      row.key.endsWith(".*") && key.startsWith(row.key.slice(0, -1)) && key.length >= row.key.length
    );
}

/** The type that a key such as `strategy.feedback` is about, `*` for all; undefined for keys of another kind. */
export function typeOfKey(key: string): string | undefined {
  return settingOf(key)?.key.endsWith(".*") ? key.slice(key.indexOf(".") + 1) : undefined;
}

/** Throws for a name alone: memo once downloaded models by their names. */
function checkModel(model: string): void {
  if (model === "builtin" || isAbsolute(model)) return;
  if (/^(https?:\/\/[^#]+#.|\.{1,2}([\\/]|$))/.test(model)) return;
  throw new MemoError(
    "usage",
    `Cannot use the model \`${model}\`: \`model\` takes \`builtin\`, the path of a folder, or \`http://HOST/v1#MODEL\``,
    { hint: "Run `memo config set model=builtin`, or put the model's files into a folder" },
  );
}

/** Throws unless a text is the URL of a server. */
function checkAddress(text: string): void {
  if (text === "" || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return;
  throw new MemoError("usage", `Cannot use \`${text}\` as a server: it is not an HTTP URL`);
}
