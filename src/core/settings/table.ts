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
  readonly default: Value | undefined;
  readonly summary: string;
  readonly range?: readonly [least: number, most: number];
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

type Widen<T> = T extends string ? string
  : T extends number ? number
  : T extends boolean ? boolean
  : T;

/** A row of the table; a number is a whole one unless `kind` says otherwise. */
function setting<V extends Value | undefined>(
  usual: V,
  summary: string,
  more: Partial<Setting> = {},
): Omit<Setting, "key" | "default"> & { readonly default: Widen<V> } {
  const kind = typeof usual === "number" ? "integer" : typeof usual as "string" | "boolean";
  return { kind, project: false, ...more, default: usual as Widen<V>, summary };
}

/** A named trade-off between quality and cost of recall; per-type settings override it. */
export interface Preset {
  readonly name: string;
  /** The strategy of every type; undefined: each type's own row. */
  readonly strategy?: string;
  readonly summary: string;
  /**
   * Tokens of its questions per prompt, measured by `memo bench`: those read with some twenty memories in a project
   * (`retention`), and with 266 (`coding-agent`), where lists of titles are cut; undefined: it asks nobody.
   */
  readonly asks?: { readonly small: number; readonly large: number; readonly output: number };
}

/** Every preset, cheapest first. */
export const PRESETS: readonly [Preset, ...Preset[]] = [
  { name: "local", summary: "nothing is sent anywhere" },
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
];

/** The strategy that a preset puts in the place of a type's own. */
export function presetStrategy(name: string): string | undefined {
  return PRESETS.find((preset) => preset.name === name)?.strategy;
}

/** Hardly anybody needs it. */
const RARE = { isRare: true } as const;
/** What only the person may set: it is about what they alone know or decide. */
const OWN = { narrow: refused, isRare: true } as const;
/** A project and a variable may turn it off, and only the person on. */
const CLOSABLE = { project: true, projectOff: true, narrow: lower } as const;

const ROWS = {
  "model": setting(
    "builtin",
    "Embedding model: `builtin`, a folder with an ONNX model and its tokenizer, or an endpoint (`http://127.0.0.1:11434/v1#bge-m3`)",
    {
      check: checkModel,
      narrow: (_, asked) => /^https?:/i.test(String(asked)) ? undefined : asked,
    },
  ),
  "embed.key_file": setting("", "File with the API key of an embedding endpoint", OWN),
  "strategy.*": setting(undefined, "Strategy that ranks memories of this type", { kind: "string" }),
  "threshold.*": setting(undefined, "Minimum score for a memory of this type to be recalled", {
    kind: "number",
    range: [0, 1],
  }),
  "recall.preset": setting(
    "local",
    `How recall chooses: ${
      PRESETS.map(({ name, summary }) => `\`${name}\` (${summary})`).join(", ")
    }`,
    { choices: PRESETS.map(({ name }) => name) },
  ),
  "recall.min_chars": setting(
    10,
    "Minimum prompt length in characters; half of it with two words that say something, and an identifier always passes",
    { range: [1, 1000], isRare: true },
  ),
  "recall.max_memories": setting(5, "Maximum memories per context block", {
    range: [1, 20],
    project: true,
    projectMin: 3,
  }),
  "recall.block_chars": setting(
    4000,
    "Maximum characters per context block; every later request sends the block again",
    { range: [500, 9500], project: true, projectMin: 2000 },
  ),
  "recall.start_chars": setting(
    8000,
    "Maximum characters of memory at session start: 8000 are some 2,000 tokens, sent anew once a session and read from the cache after that",
    { range: [500, 9500], project: true, projectMin: 2000 },
  ),
  "recall.session_bytes": setting(61440, "Maximum bytes of memory per session", {
    range: [0, 10_000_000],
    isRare: true,
  }),
  "recall.moments": setting(
    "all",
    "Where Claude gets a memory while it works: beside a failing command that it knows (`errors`), and with a file that it names too (`all`)",
    { choices: ["off", "errors", "all"] },
  ),
  "recall.words": setting(
    "",
    "Your own short forms, one per line: with `kn: customer number` a prompt about the KN finds notes on the customer number, and the other way round",
    { check: ownForms },
  ),
  // The hook itself waits little longer.
  "recall.deadline_ms": setting(
    400,
    "Deadline for retrieval in milliseconds; after it the prompt continues without memories",
    { range: [20, 1000], isRare: true },
  ),
  "send": setting(
    "",
    `What may be sent to a language model: \`${OFF}\`, \`${ON}\`, or some of ${
      PURPOSES.map(({ name }) => `\`${name}\``).join(", ")
    }; until it is set nothing is sent, and \`memo init\` asks`,
    { check: checkSend, narrow: (own, asked) => narrowSend(String(own), String(asked)) },
  ),
  "llm.provider": setting(
    "auto",
    "Where memo sends its LLM calls; `auto` takes the first that is available",
    {
      choices: ["auto", "anthropic", "claude", "none"],
      narrow: (own, asked) => own === "auto" || asked === "none" ? asked : undefined,
    },
  ),
  "llm.model": setting("claude-haiku-5-5", "Model for LLM calls; a small one is enough"),
  "llm.base_url": setting(
    "",
    "Base URL of another server with the Messages API, such as a local one",
    {
      check: checkAddress,
      narrow: (own, asked, config) =>
        own === "" && isOnHost(String(asked), String(config["llm.hosts"])) ? asked : undefined,
      isRare: true,
    },
  ),
  "llm.hosts": setting(
    "",
    "Hosts that `ANTHROPIC_BASE_URL` may name, separated by commas, such as your company's gateway; with any other nothing is sent",
    OWN,
  ),
  "llm.key_file": setting(
    "",
    "File with the API key, used when `ANTHROPIC_API_KEY` is not set",
    OWN,
  ),
  "llm.claude_path": setting(
    "",
    "Path to Claude Code's executable, if `claude` is neither on the `PATH` nor where its installer puts it",
    OWN,
  ),
  "llm.daily_calls": setting(200, "Maximum LLM calls per day", {
    range: [0, 100_000],
    narrow: lower,
    isRare: true,
  }),
  "llm.daily_usd": setting(1, "Daily spending limit in US dollars (models with known prices)", {
    kind: "number",
    range: [0, 10_000],
    narrow: lower,
  }),
  "capture.enabled": setting(
    true,
    "Write memories and a journal from conversations, if `send` has `capture`",
    CLOSABLE,
  ),
  "enrich.enabled": setting(
    true,
    "Add example prompts to memories that have few, if `send` has `enrich`",
    CLOSABLE,
  ),
  "dream.enabled": setting(
    true,
    "Merge and tidy memories from time to time; `memo dream --undo` reverts it",
    CLOSABLE,
  ),
  "capture.scope": setting(
    "auto",
    "Where new memories go: `auto` (what is about you, or applies everywhere, to yours, the rest to the project's private folder), `project` (all but those about you to the project's), `shared` (into the repository), `user` (all to yours)",
    { choices: ["auto", "user", "project", "shared"] },
  ),
  "capture.session_calls": setting(
    60,
    "Maximum LLM calls for capture per session and day; the rest waits for the next day",
    { range: [0, 10_000], narrow: lower, isRare: true },
  ),
  "extract.model": setting(
    "",
    "Model for capture, if not `llm.model`; `extract_prompt.md` beside `config.yaml` replaces its prompt",
    RARE,
  ),
  "team.suggest": setting(
    "",
    "Team that a repository suggests, as `NAME URL`; `memo team status` shows it",
    { project: true, isRare: true },
  ),
  "sync.auto": setting(false, "Run `memo sync` at the end of each session", { narrow: lower }),
  "briefing.file": setting(
    "CLAUDE.md",
    "File in the project in which `memo config briefing --write` keeps a section",
    {
      choices: ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/rules/memo.md"],
      isRare: true,
    },
  ),
  "briefing.refresh": setting(
    false,
    "Update that section automatically after capture, once `memo config briefing --write` has created it",
  ),
  "history.transcripts": setting(
    false,
    "Keep what was said in conversations, without secrets and tool output, for `memo search --history`",
    CLOSABLE,
  ),
  "history.commits": setting(
    true,
    "Find the project's commits with `memo search --history`, the 1,000 newest",
    { project: true, projectOff: true },
  ),
  "history.days": setting(
    365,
    "Days to keep stored conversations; Claude Code deletes its own after 30",
    { range: [1, 36_500], isRare: true },
  ),
  "redact.patterns": setting(
    "",
    "Extra redaction patterns, one regular expression per line; a group named `secret` limits what is redacted",
    { check: ownPatterns, narrow: (own, asked) => [own, asked].filter((each) => each).join("\n") },
  ),
  "notify": setting(
    "saves",
    "What Claude Code shows you of memo, in one line: memories saved or forgotten (`saves`), recalled too (`all`), nothing (`off`)",
    { choices: ["off", "saves", "all"] },
  ),
  "daemon.idle_minutes": setting(
    30,
    "Minutes without a request or open session before the daemon exits",
    { kind: "number", range: [0.01, 10080], isRare: true },
  ),
  "upgrade.releases": setting("", "URL of releases for `memo upgrade`, if not the built-in one", {
    check: checkAddress,
    isRare: true,
  }),
};

/** The values of all settings but the per-type ones. */
export type Values = {
  readonly [K in keyof typeof ROWS as typeof ROWS[K]["default"] extends undefined ? never : K]:
    typeof ROWS[K]["default"];
};

/** Every setting, in display order. */
export const SETTINGS: readonly Setting[] = Object.entries(ROWS)
  .map(([key, row]) => ({ key, ...row }));

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
