import { existsSync, readFileSync } from "node:fs";
import { type Document, isMap, parseDocument } from "yaml";
import { codeOf, MemoError, messageOf } from "./errors.ts";
import { policyOf, type TypePolicy } from "./memory/types.ts";
import type { Env } from "./paths.ts";

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
  /** Whether a project's `.claude/memo.yaml` may set it: nothing that redirects data or runs anything. */
  readonly project: boolean;
}

/** Every setting, in display order. */
export const SETTINGS = [
  {
    key: "model",
    kind: "string",
    default: "builtin",
    summary: "Embedding model: `builtin`, or one that `memo model pull` fetched",
    project: false,
  },
  {
    key: "strategy.*",
    kind: "string",
    default: undefined,
    summary: "Strategy that ranks memories of a type",
    project: true,
  },
  {
    key: "threshold.*",
    kind: "number",
    default: undefined,
    min: 0,
    max: 1,
    summary: "Lowest score at which a memory of a type is put before the model",
    project: true,
  },
  {
    key: "recall.min_chars",
    kind: "integer",
    default: 10,
    min: 1,
    max: 1000,
    summary: "Prompts with fewer characters are not looked up",
    project: true,
  },
  {
    key: "recall.max_memories",
    kind: "integer",
    default: 5,
    min: 1,
    max: 20,
    summary: "Most memories in one context block",
    project: true,
  },
  {
    key: "recall.block_chars",
    kind: "integer",
    default: 4000,
    min: 500,
    max: 9500,
    summary: "Longest context block, in characters; it is sent again with every later request",
    project: true,
  },
  {
    key: "recall.session_bytes",
    kind: "integer",
    default: 61440,
    min: 0,
    max: 10_000_000,
    summary: "Most bytes that one session is given",
    project: true,
  },
  {
    key: "recall.deadline_ms",
    kind: "integer",
    default: 400,
    min: 20,
    max: 4000,
    summary: "How long retrieval may take before a prompt goes on without",
    project: false,
  },
  {
    key: "daemon.idle_minutes",
    kind: "number",
    default: 30,
    min: 0.01,
    max: 10080,
    summary: "The daemon ends after this long without a request",
    project: false,
  },
] as const satisfies readonly Setting[];

type Entry = typeof SETTINGS[number];
type Widen<T> = T extends string ? string
  : T extends number ? number
  : T extends boolean ? boolean
  : T;

/** The settings in force; per-type ones are reached through `typeSettings`. */
export type Config =
  & { readonly [S in Exclude<Entry, { default: undefined }> as S["key"]]: Widen<S["default"]> }
  & {
    /** Per-type overrides, `strategy.feedback` → value. */
    readonly perType: Readonly<Record<string, string | number>>;
    /** Settings that were there and could not be used, in words. */
    readonly warnings: readonly string[];
  };

/** A type's policy with the settings on top. */
export function typeSettings(config: Config, type: string): TypePolicy {
  const row = policyOf(type);
  const strategy = config.perType[`strategy.${type}`] ?? config.perType[`strategy.*`];
  const threshold = config.perType[`threshold.${type}`] ?? config.perType[`threshold.*`];
  return {
    ...row,
    strategy: typeof strategy === "string" ? strategy : row.strategy,
    threshold: typeof threshold === "number" ? threshold : row.threshold,
  };
}

/** The name of the environment variable of a setting: `recall.min_chars` → `MEMO_RECALL_MIN_CHARS`. */
export function variableOf(key: string): string {
  return "MEMO_" + key.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}

/** The row of `SETTINGS` that a concrete key such as `strategy.feedback` belongs to. */
export function settingOf(key: string): Setting | undefined {
  return SETTINGS.find((row) => row.key === key) ??
    SETTINGS.find((row) => row.key.endsWith(".*") && key.startsWith(row.key.slice(0, -1)));
}

/** A raw value as the setting's kind; throws a `usage` MemoError that says what would be valid. */
export function coerce(setting: Setting, key: string, raw: unknown): string | number | boolean {
  const refuse = (wants: string) =>
    new MemoError("usage", `Cannot set \`${key}\` to \`${String(raw)}\`: it takes ${wants}`);
  switch (setting.kind) {
    case "boolean":
      if (raw === true || raw === "true") return true;
      if (raw === false || raw === "false") return false;
      throw refuse("true or false");
    case "string":
      if (typeof raw !== "string" || raw === "") throw refuse("a text");
      if (setting.choices && !setting.choices.includes(raw)) {
        throw refuse(`one of ${setting.choices.join(", ")}`);
      }
      return raw;
    default: {
      const number = typeof raw === "number"
        ? raw
        : typeof raw === "string" && raw.trim()
        ? Number(raw)
        : NaN;
      const { min = -Infinity, max = Infinity, kind } = setting;
      const fits = number >= min && number <= max &&
        (kind === "number" || Number.isInteger(number));
      if (!fits) {
        throw refuse(`${kind === "integer" ? "a whole number" : "a number"} from ${min} to ${max}`);
      }
      return number;
    }
  }
}

/**
 * The settings in force: the file at `path` over the defaults, `MEMO_*` variables over the file.
 * A file that cannot be read or a value that is not valid becomes a warning and the default holds.
 */
export function loadConfig(path: string, env: Env): Config {
  const warnings: string[] = [];
  const raw = { ...readSettings(path, warnings), ...variables(env) };
  const config: Record<string, unknown> = {};
  for (const row of SETTINGS) if (row.default !== undefined) config[row.key] = row.default;
  const perType: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(raw)) {
    const setting = settingOf(key);
    if (setting === undefined) {
      warnings.push(`Unknown setting \`${key}\` in \`${path}\``);
      continue;
    }
    try {
      const good = coerce(setting, key, value);
      if (setting.key.endsWith(".*")) perType[key] = good as string | number;
      else config[key] = good;
    } catch (error) {
      warnings.push(messageOf(error));
    }
  }
  return { ...config, perType, warnings } as unknown as Config;
}

function readSettings(path: string, warnings: string[]): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") warnings.push(`Cannot read \`${path}\`: ${messageOf(error)}`);
    return {};
  }
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    warnings.push(`Cannot read \`${path}\`: ${document.errors[0]!.message.split("\n")[0]}`);
    return {};
  }
  return flatten(document.toJS() ?? {});
}

/** `{a: {b: 1}, "a.c": 2}` → `{"a.b": 1, "a.c": 2}`: both ways of writing a key are read. */
function flatten(value: unknown, prefix = ""): Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return prefix === "" ? {} : { [prefix]: value };
  }
  const flat: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    Object.assign(flat, flatten(inner, prefix === "" ? key : `${prefix}.${key}`));
  }
  return flat;
}

function variables(env: Env): Record<string, string> {
  const found: Record<string, string> = {};
  for (const row of SETTINGS) {
    const value = row.key.endsWith(".*") ? undefined : env[variableOf(row.key)];
    if (value !== undefined && value !== "") found[row.key] = value;
  }
  return found;
}

/**
 * The text of a settings file with one value changed (undefined: removed), comments and order kept.
 * Throws a `file` MemoError when the file is there and is not YAML: it is never overwritten then.
 */
export function withSetting(
  path: string,
  key: string,
  value: string | number | boolean | undefined,
): string {
  const document: Document = parseDocument(existsSync(path) ? readFileSync(path, "utf8") : "");
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) {
    throw new MemoError("file", `Cannot change \`${path}\`: it is not a YAML map of settings`, {
      hint: `Mend or move \`${path}\`, then try again`,
    });
  }
  const parts = key.split(".");
  const place = document.has(key) ? [key] : parts;
  if (value === undefined) document.deleteIn(place);
  else document.setIn(place, value);
  const text = document.toString({ lineWidth: 0 });
  return text.trim() === "{}" || text.trim() === "null" ? "" : text;
}
