import { isAbsolute } from "node:path";
import { MemoError } from "../../errors.ts";
import { checkOff } from "../files/off.ts";
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
/** Of what no variable may set. */
export const refused: Narrow = () => undefined;

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
  { name: "local", summary: "nothing is sent" },
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
    "Embedding model: `builtin`, a folder with an ONNX model and tokenizer, or an endpoint (`http://127.0.0.1:11434/v1#bge-m3`)",
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
    `How memo picks memories: ${
      PRESETS.map(({ name, summary }) => `\`${name}\` (${summary})`).join(", ")
    }`,
    { choices: PRESETS.map(({ name }) => name) },
  ),
  "recall.min_chars": setting(
    10,
    "Minimum prompt length in characters; half that with two meaningful words, any length with an identifier",
    { range: [1, 1000], isRare: true },
  ),
  "recall.max_memories": setting(5, "Maximum memories per context block", {
    range: [1, 20],
    project: true,
    projectMin: 3,
  }),
  "recall.block_chars": setting(
    4000,
    "Maximum characters per context block; each later request resends the block",
    { range: [500, 9500], project: true, projectMin: 2000 },
  ),
  "recall.start_chars": setting(
    9500,
    "Maximum characters of memory at session start; 9500 is about 2,400 tokens, sent once a session, then read from the cache",
    { range: [500, 9500], project: true, projectMin: 2000 },
  ),
  "recall.session_bytes": setting(61440, "Maximum bytes of memory per session", {
    range: [0, 10_000_000],
    isRare: true,
  }),
  "recall.moments": setting(
    "all",
    "Memories Claude gets while it works: about a failing command (`errors`), also about the file at hand (`all`), or none (`off`)",
    { choices: ["off", "errors", "all"] },
  ),
  "recall.words": setting(
    "",
    "Your own abbreviations, one per line: with `kn: customer number`, a prompt about the KN finds memories about the customer number, and vice versa",
    { check: ownForms },
  ),
  // The hook itself waits little longer.
  "recall.deadline_ms": setting(
    400,
    "Time limit for retrieval in milliseconds; after that the prompt continues without memories",
    { range: [20, 1000], isRare: true },
  ),
  "send": setting(
    "",
    `What may be sent to a language model: \`${OFF}\`, \`${ON}\`, or some of ${
      PURPOSES.map(({ name }) => `\`${name}\``).join(", ")
    }; nothing is sent until it is set (\`memo init\`)`,
    { check: checkSend, narrow: (own, asked) => narrowSend(String(own), String(asked)) },
  ),
  "llm.provider": setting(
    "auto",
    "Where LLM calls go: `auto` picks the first provider available; to choose what is sent, set `send`",
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
    "Hosts allowed in `ANTHROPIC_BASE_URL`, comma-separated, such as your company's gateway; nothing is sent to others",
    OWN,
  ),
  "llm.key_file": setting(
    "",
    "File with the API key, used when `ANTHROPIC_API_KEY` is not set",
    OWN,
  ),
  "llm.claude_path": setting(
    "",
    "Path to the Claude Code executable, if `claude` is not on the `PATH` or in its default location",
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
    "Write memories and a journal from conversations, if `send` has `capture`; to stop for one session: `memo pause`",
    CLOSABLE,
  ),
  "enrich.enabled": setting(
    true,
    "Add example prompts to memories that have few, if `send` has `enrich`",
    CLOSABLE,
  ),
  "dream.enabled": setting(
    true,
    "Merge and tidy memories regularly, with a language model if `send` has `dream`; undo: `memo dream --undo`",
    CLOSABLE,
  ),
  "capture.scope": setting(
    "auto",
    "Where new memories go: `auto` (your own folder if they are about you or apply everywhere, otherwise the project's private one), `project` (the private one, unless about you), `shared` (the repository), `user` (your own)",
    { choices: ["auto", "user", "project", "shared"] },
  ),
  "capture.session_calls": setting(
    60,
    "Maximum LLM calls for capture per session and day; the rest continues the next day",
    { range: [0, 10_000], narrow: lower, isRare: true },
  ),
  "extract.model": setting(
    "",
    "Model for capture, if not `llm.model`; `extract_prompt.md` next to `config.yaml` replaces its prompt",
    RARE,
  ),
  "team.suggest": setting(
    "",
    "Team suggested by a repository, as `NAME URL`; `memo team status` shows it",
    { project: true, isRare: true },
  ),
  "sync.auto": setting(false, "Run `memo sync` at the end of each session", { narrow: lower }),
  "briefing.file": setting(
    "CLAUDE.md",
    "Project file in which `memo config briefing --write` keeps a section",
    {
      choices: ["CLAUDE.md", "AGENTS.md", "CLAUDE.local.md", ".claude/rules/memo.md"],
      isRare: true,
    },
  ),
  "briefing.refresh": setting(
    false,
    "Update that section after each capture, once `memo config briefing --write` has created it",
  ),
  "history.transcripts": setting(
    false,
    "Keep conversations, without secrets and tool output, for `memo search --history`",
    CLOSABLE,
  ),
  "history.commits": setting(
    true,
    "Include the project's 1,000 newest commits in `memo search --history`",
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
  "off": setting(
    "",
    "Folders where memo is off, with all below them, comma-separated: `~/clients/**`; nothing in them is recalled, read or saved",
    { check: checkOff, narrow: refused },
  ),
  "notify": setting(
    "saves",
    "What memo tells you in Claude Code: memories saved or forgotten (`saves`), recalled too (`all`), nothing (`off`); to stop memo itself: `memo pause`",
    { choices: ["off", "saves", "all"] },
  ),
  "daemon.idle_minutes": setting(
    30,
    "Minutes without a request or open session before the daemon exits",
    { kind: "number", range: [0.01, 10080], isRare: true },
  ),
  "upgrade.releases": setting("", "Release URL for `memo upgrade`, if not the built-in one", {
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
    `Cannot use the model \`${model}\`: \`model\` must be \`builtin\`, a folder, or \`http://HOST/v1#MODEL\``,
    { hint: "Run `memo config set model=builtin`, or put the model's files in a folder" },
  );
}

/** Throws unless a text is the URL of a server. */
function checkAddress(text: string): void {
  if (text === "" || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return;
  throw new MemoError("usage", `Cannot use \`${text}\` as a server: it is not an HTTP URL`);
}
