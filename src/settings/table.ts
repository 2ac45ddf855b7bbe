import { MemoError } from "../errors.ts";
import { ownPatterns } from "../redact/own_patterns.ts";
import { PRESETS } from "./presets.ts";
import { checkSend, OFF, ON, PURPOSES } from "./purposes.ts";

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
}

/** Every setting, in display order. */
export const SETTINGS = [
  {
    key: "model",
    kind: "string",
    default: "builtin",
    summary:
      "Embedding model: `builtin`, one fetched by `memo config model pull`, or an endpoint (`http://127.0.0.1:11434/v1#bge-m3`)",
    project: false,
  },
  {
    key: "embed.key_file",
    kind: "string",
    default: "",
    summary: "File with the API key of an embedding endpoint",
    project: false,
  },
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
    min: 0,
    max: 1,
    summary: "Minimum score for a memory of this type to be recalled",
    project: false,
  },
  {
    key: "recall.preset",
    kind: "string",
    default: "local",
    choices: PRESETS.map(({ name }) => name),
    summary: `How recall chooses: ${
      PRESETS.map(({ name, summary }) => `\`${name}\` (${summary})`).join(", ")
    }`,
    project: false,
  },
  {
    key: "recall.min_chars",
    kind: "integer",
    default: 10,
    min: 1,
    max: 1000,
    summary:
      "Minimum prompt length in characters; half of it with two words that say something, and an identifier always passes",
    project: false,
  },
  {
    key: "recall.max_memories",
    kind: "integer",
    default: 5,
    min: 1,
    max: 20,
    summary: "Maximum memories per context block",
    project: true,
    projectMin: 3,
  },
  {
    key: "recall.block_chars",
    kind: "integer",
    default: 4000,
    min: 500,
    max: 9500,
    summary: "Maximum characters per context block; every later request sends the block again",
    project: true,
    projectMin: 2000,
  },
  {
    key: "recall.start_chars",
    kind: "integer",
    default: 8000,
    min: 500,
    max: 9500,
    summary: "Maximum characters of memory at session start",
    project: true,
    projectMin: 2000,
  },
  {
    key: "recall.session_bytes",
    kind: "integer",
    default: 61440,
    min: 0,
    max: 10_000_000,
    summary: "Maximum bytes of memory per session",
    project: false,
  },
  {
    key: "recall.moments",
    kind: "string",
    default: "all",
    choices: ["off", "errors", "all"],
    summary:
      "Where Claude gets a memory while it works: beside a failing command that it knows (`errors`), and with a file that it names too (`all`)",
    project: false,
  },
  {
    key: "recall.deadline_ms",
    kind: "integer",
    default: 400,
    min: 20,
    max: 1000, // the hook itself waits little longer
    summary:
      "Deadline for retrieval in milliseconds; after it the prompt continues without memories",
    project: false,
  },
  {
    key: "send",
    kind: "string",
    default: "",
    check: checkSend,
    summary: `What may be sent to a language model: \`${OFF}\`, \`${ON}\`, or some of ${
      PURPOSES.map(({ name }) => `\`${name}\``).join(", ")
    }; until it is set nothing is sent, and \`memo init\` asks`,
    project: false,
  },
  {
    key: "llm.provider",
    kind: "string",
    default: "auto",
    choices: ["auto", "anthropic", "claude", "none"],
    summary: "Where memo sends its LLM calls; `auto` takes the first that is available",
    project: false,
  },
  {
    key: "llm.model",
    kind: "string",
    default: "claude-haiku-5-5",
    summary: "Model for LLM calls; a small one is enough",
    project: false,
  },
  {
    key: "llm.base_url",
    kind: "string",
    default: "",
    check: checkAddress,
    summary: "Base URL of another server with the Messages API, such as a local one",
    project: false,
  },
  {
    key: "llm.key_file",
    kind: "string",
    default: "",
    summary: "File with the API key, used when `ANTHROPIC_API_KEY` is not set",
    project: false,
  },
  {
    key: "llm.claude_path",
    kind: "string",
    default: "",
    summary:
      "Path to Claude Code's executable, if `claude` is neither on the `PATH` nor where its installer puts it",
    project: false,
  },
  {
    key: "llm.daily_calls",
    kind: "integer",
    default: 200,
    min: 0,
    max: 100_000,
    summary: "Maximum LLM calls per day",
    project: false,
  },
  {
    key: "llm.daily_usd",
    kind: "number",
    default: 1,
    min: 0,
    max: 10_000,
    summary: "Daily spending limit in US dollars (models with known prices)",
    project: false,
  },
  {
    key: "capture.enabled",
    kind: "boolean",
    default: true,
    summary: "Write memories and a journal from conversations, if `send` has `capture`",
    project: true,
    projectOff: true,
  },
  {
    key: "enrich.enabled",
    kind: "boolean",
    default: true,
    summary: "Add example prompts to memories that have few, if `send` has `enrich`",
    project: true,
    projectOff: true,
  },
  {
    key: "dream.enabled",
    kind: "boolean",
    default: true,
    summary: "Merge and tidy memories from time to time; `memo dream --undo` reverts it",
    project: true,
    projectOff: true,
  },
  {
    key: "capture.scope",
    kind: "string",
    default: "auto",
    choices: ["auto", "user", "project", "shared"],
    summary:
      "Where new memories go: `auto` (what is about you, or applies everywhere, to yours, the rest to the project's private folder), `project` (all but those about you to the project's), `shared` (into the repository), `user` (all to yours)",
    project: false,
  },
  {
    key: "capture.session_calls",
    kind: "integer",
    default: 60,
    min: 0,
    max: 10_000,
    summary: "Maximum LLM calls for capture per session and day; the rest waits for the next day",
    project: false,
  },
  {
    key: "extract.model",
    kind: "string",
    default: "",
    summary:
      "Model for capture, if not `llm.model`; `extract_prompt.md` beside `config.yaml` replaces its prompt",
    project: false,
  },
  {
    key: "team.suggest",
    kind: "string",
    default: "",
    summary: "Team that a repository suggests, as `NAME URL`; `memo team status` shows it",
    project: true,
  },
  {
    key: "sync.auto",
    kind: "boolean",
    default: false,
    summary: "Run `memo sync` at the end of each session",
    project: false,
  },
  {
    key: "briefing.file",
    kind: "string",
    default: "CLAUDE.md",
    choices: ["CLAUDE.md", "CLAUDE.local.md", ".claude/rules/memo.md"],
    summary: "File in the project in which `memo config briefing --write` keeps a section",
    project: false,
  },
  {
    key: "briefing.refresh",
    kind: "boolean",
    default: false,
    summary:
      "Update that section automatically after capture, once `memo config briefing --write` has created it",
    project: false,
  },
  {
    key: "history.transcripts",
    kind: "boolean",
    default: false,
    summary:
      "Keep what was said in conversations, without secrets and tool output, for `memo search --history`",
    project: true,
    projectOff: true,
  },
  {
    key: "history.commits",
    kind: "boolean",
    default: true,
    summary: "Find the project's commits with `memo search --history`, the 1,000 newest",
    project: true,
    projectOff: true,
  },
  {
    key: "history.days",
    kind: "integer",
    default: 365,
    min: 1,
    max: 36_500,
    summary: "Days to keep stored conversations; Claude Code deletes its own after 30",
    project: false,
  },
  {
    key: "redact.patterns",
    kind: "string",
    default: "",
    check: ownPatterns,
    summary:
      "Extra redaction patterns, one regular expression per line; a group named `secret` limits what is redacted",
    project: false,
  },
  {
    key: "notify",
    kind: "string",
    default: "saves",
    choices: ["off", "saves", "all"],
    summary:
      "What Claude Code shows you of memo, in one line: memories saved or forgotten (`saves`), recalled too (`all`), nothing (`off`)",
    project: false,
  },
  {
    key: "daemon.idle_minutes",
    kind: "number",
    default: 30,
    min: 0.01,
    max: 10080,
    summary: "Minutes without a request or open session before the daemon exits",
    project: false,
  },
  {
    key: "upgrade.releases",
    kind: "string",
    default: "",
    summary: "URL of releases for `memo upgrade`, if not the built-in one",
    project: false,
  },
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

/** Throws unless a text is the URL of a server. */
function checkAddress(text: string): void {
  if (text === "" || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return;
  throw new MemoError("usage", `Cannot use \`${text}\` as a server: it is not an HTTP URL`, {
    hint: "Run `memo config set llm.base_url http://127.0.0.1:8080` with your server's URL",
  });
}
