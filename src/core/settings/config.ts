import { basename, dirname } from "node:path";
import { ownFile, readSettingsFile } from "./config_file.ts";
import { MemoError, messageOf } from "../../errors.ts";
import { policyOf, type TypePolicy, TYPES } from "../memory/types.ts";
import {
  presetStrategy,
  settingOf,
  SETTINGS,
  typeOfKey,
  type Value,
  type Values,
  variableOf,
} from "./table.ts";
import { OFF, whyServerRefused } from "./purposes.ts";
import { nearest } from "../text/nearest.ts";
import type { Env, Paths } from "../../paths.ts";
import type { Log } from "../files/log.ts";
import type { MemoryFolder } from "../memory/memory.ts";
import type { Place } from "../memory/scopes.ts";
import type { Strategy } from "../../../strategies/strategy.ts";

/** Where a value that is not a default comes from. */
export type ValueSource =
  | { readonly from: "settings" | "project"; readonly path: string; readonly line: number }
  | { readonly from: "environment"; readonly variable: string };

/** The settings in force; per-type ones are reached through `typeSettings`. */
export type Config =
  & Values
  & {
    /** The folder of the settings' file. */
    readonly folder: string;
    /** Per-type overrides, `strategy.feedback` → value. */
    readonly perType: Readonly<Record<string, string | number>>;
    /** Where each value comes from that is not a default. */
    readonly sources: Readonly<Record<string, ValueSource>>;
    /** Settings that were there and could not be used, in words. */
    readonly warnings: readonly string[];
    /** Why LLM calls are blocked: a setting that may forbid or limit them cannot be read. */
    readonly muted: string | undefined;
  };

interface StrategyOptions {
  /** All strategies; without them any name is valid. */
  readonly strategies?: readonly Pick<Strategy, "name" | "cost">[] | undefined;
}

/** A type's policy with the settings on top. */
export function typeSettings(config: Config, type: string): TypePolicy {
  const row = policyOf(type);
  const strategy = config.perType[`strategy.${type}`] ?? config.perType["strategy.*"] ??
    presetStrategy(config["recall.preset"]);
  const threshold = config.perType[`threshold.${type}`] ?? config.perType["threshold.*"];
  return {
    ...row,
    strategy: typeof strategy === "string" ? strategy : row.strategy,
    threshold: typeof threshold === "number" ? threshold : row.threshold,
  };
}

/** The lowest threshold of any type. */
export function lowestThreshold(config: Config): number {
  const set = Object.entries(config.perType).filter(([key]) => key.startsWith("threshold."));
  return Math.min(...TYPES.map((row) => row.threshold), ...set.map(([, value]) => Number(value)));
}

/** The value in force of any key in `SETTINGS`, per-type ones included. */
export function valueOf(config: Config, key: string): Value {
  const type = typeOfKey(key);
  return type === undefined
    ? config[key as keyof Values]
    : typeSettings(config, type)[fieldOf(key)];
}

/** The default of a setting. */
export function defaultOf(key: string): Value {
  const type = typeOfKey(key);
  return type === undefined ? settingOf(key)!.default! : policyOf(type)[fieldOf(key)];
}

/** Where the value in force comes from; undefined: it is the default. */
export function sourceOf(config: Config, key: string): ValueSource | undefined {
  const source = config.sources[key];
  return source === undefined && isPerType(key) ? config.sources[`${fieldOf(key)}.*`] : source;
}

/** A source as people read it: `config.yaml:3`, `MEMO_MODEL`, `default`. */
export function describeSource(source: ValueSource | undefined): string {
  if (source === undefined) return "default";
  if (source.from === "environment") return source.variable;
  const name = source.from === "project" ? ".claude/memo.yaml" : basename(source.path);
  return `${name}:${source.line}`;
}

/** The error for a key that is not in `SETTINGS`. */
export function unknownSetting(key: string): MemoError {
  return new MemoError("usage", `Unknown setting \`${key}\`${didYouMean(meantBy(key))}`, {
    hint: "Run `memo config list` to see every setting",
  });
}

/** The setting that a key probably means; undefined if it resembles none. */
function meantBy(key: string): string | undefined {
  // The typo may be in the first part of `strategy.feedback`.
  const rest = key.slice(key.indexOf(".") + 1);
  return nearest(key, SETTINGS.map((row) => row.key.replace("*", () => rest)));
}

/** A raw value as its setting's kind; throws a `usage` MemoError that says what would be valid. */
export function coerce(
  key: string,
  raw: unknown,
  { strategies, fromProject = false }: StrategyOptions & {
    /** A project may not make memo ask a language model: that costs money, and shows the user's memories to it. */
    readonly fromProject?: boolean;
  } = {},
): Value {
  const setting = settingOf(key);
  if (setting === undefined) throw unknownSetting(key);
  const refuse = (wants: string) =>
    new MemoError("usage", `Cannot set \`${key}\` to \`${String(raw)}\`: it must be ${wants}`);
  switch (setting.kind) {
    case "boolean":
      if (fromProject && setting.projectOff && String(raw) !== "false") {
        throw refuse("false in a project");
      }
      if (raw === true || raw === "true") return true;
      if (raw === false || raw === "false") return false;
      throw refuse("true or false");
    case "string": {
      if (typeof raw !== "string" || (raw === "" && setting.default !== "")) throw refuse("text");
      const choices = setting.key === "strategy.*"
        ? strategies?.filter(({ cost }) => cost === "local" || !fromProject).map(({ name }) => name)
        : setting.choices;
      const isOwn = setting.key === "strategy.*" && ownFile(raw) !== undefined;
      if (choices && !choices.includes(raw) && !isOwn) {
        const where = fromProject ? " in a project" : "";
        throw refuse(`one of ${choices.join(", ")}${where}${didYouMean(nearest(raw, choices))}`);
      }
      setting.check?.(raw);
      return raw;
    }
    default: {
      const isText = typeof raw === "string" && raw.trim() !== "";
      const number = isText || typeof raw === "number" ? Number(raw) : NaN;
      const { kind, range: [least, max] = [-Infinity, Infinity] } = setting;
      const min = (fromProject ? setting.projectMin : undefined) ?? least;
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
 * The settings in force: over the defaults the file at `path`, over that the project's file as far as it may, over that
 * `MEMO_*` variables. An unreadable file or an invalid value becomes a warning and is ignored.
 */
export function loadConfig(
  path: string,
  env: Env,
  { project, strategies }: StrategyOptions & {
    /** The project's `.claude/memo.yaml`, if there is one. */
    readonly project?: string | undefined;
  } = {},
): Config {
  const own = { from: "settings", path, ...readSettingsFile(path) } as const;
  const theirs = project === undefined
    ? []
    : [{ from: "project", path: project, ...readSettingsFile(project) } as const];
  const files = [own, ...theirs], warnings = files.flatMap(({ problem }) => problem ?? []);
  let muted = own.problem;
  const config: Record<string, unknown> = {};
  for (const row of SETTINGS) if (row.default !== undefined) config[row.key] = row.default;
  const perType: Record<string, string | number> = {};
  const sources: Record<string, ValueSource> = {};
  const found = [
    ...files.flatMap(({ from, path, values }) =>
      values.map(({ key, value, line }): RawSetting => ({
        key,
        raw: value,
        source: { from, path, line },
      }))
    ),
    ...fromVariables(env),
  ];
  for (const { key, raw, source } of found) {
    try {
      const fromProject = source.from === "project";
      if (fromProject && settingOf(key)?.project === false) {
        throw new MemoError("usage", `A project cannot set \`${key}\``);
      }
      const asked = coerce(key, raw, { strategies, fromProject });
      const value = source.from === "environment" ? narrowed(key, asked, config) : asked;
      if (source.from !== "settings" && ownFile(String(value)) !== undefined) {
        throw new MemoError("usage", `Only \`config.yaml\` can set \`${key}\` to a file`);
      }
      if (fromProject && Number(value) > Number(config[key])) continue; // a project lowers, and raises nothing
      if (value !== asked && value === config[key]) {
        warnings.push(
          `\`${variableOf(key)}\` can only restrict \`${key}\`; \`memo config set\` can widen it`,
        );
        continue;
      }
      if (isPerType(key)) perType[key] = value as string | number;
      else config[key] = value;
      sources[key] = source;
    } catch (error) {
      const place = source.from === "environment"
        ? `\`${source.variable}\``
        : `\`${source.path}\` line ${source.line}`;
      const warning = `${place}: ${messageOf(error)}`;
      warnings.push(warning);
      if (mayForbid(key) && source.from !== "project") muted ??= warning;
    }
  }
  const { send, "llm.base_url": address, "llm.provider": provider } = config;
  // Where nothing is sent, or to a server of the settings, it does not matter which one a session names.
  const isSent = send !== "" && send !== OFF && (address === "" || provider === "claude");
  const server = isSent ? whyServerRefused(env, String(config["llm.hosts"])) : undefined;
  if (server !== undefined) warnings.push(muted ??= server);
  const about = { folder: dirname(path), perType, sources, warnings, muted };
  return { ...config, ...about } as unknown as Config;
}

/** What is in force where a variable asks for a value; throws where the variable may not set it. */
function narrowed(key: string, asked: Value, config: Readonly<Record<string, unknown>>): Value {
  const own = config[key] as Value;
  const { narrow } = settingOf(key)!;
  const value = narrow === undefined || asked === own ? asked : narrow(own, asked, config);
  if (value !== undefined) return value;
  throw new MemoError(
    "usage",
    `An environment variable cannot set \`${key}\` to \`${asked}\`; \`memo config set\` can`,
  );
}

/** Whether a value would open what the settings in force have closed, so that only the person may set it. */
export function opens(key: string, value: Value, config: Config): boolean {
  const own = valueOf(config, key);
  const narrow = settingOf(key)?.narrow;
  return narrow !== undefined && value !== own && narrow(own, value, config) !== value;
}

interface RawSetting {
  readonly key: string;
  readonly raw: unknown;
  readonly source: ValueSource;
}

/** Settings that decide about LLM calls: a broken one blocks them instead of counting as absent. */
const GUARDS = /^(send|llm|capture|extract|redact|enrich|dream)\b/;

/** Whether a setting may have been meant to forbid or limit LLM calls. */
function mayForbid(key: string): boolean {
  return GUARDS.test(key) || settingOf(key) === undefined && GUARDS.test(meantBy(key) ?? "");
}

function fromVariables(env: Env): RawSetting[] {
  const found: RawSetting[] = [];
  const add = (key: string, variable: string) => {
    if (env[variable]) {
      found.push({ key, raw: env[variable], source: { from: "environment", variable } });
    }
  };
  for (const { key } of SETTINGS) {
    const variable = variableOf(key);
    add(key, variable);
    if (!key.endsWith(".*")) continue;
    for (const name of Object.keys(env)) {
      const type = name.startsWith(`${variable}_`) ? name.slice(variable.length + 1) : "";
      if (type !== "") add(key.slice(0, -1) + type.toLowerCase(), name);
    }
  }
  return found;
}

function isPerType(key: string): boolean {
  return typeOfKey(key) !== undefined;
}

function fieldOf(key: string): "strategy" | "threshold" {
  return key.slice(0, key.indexOf(".")) as "strategy" | "threshold";
}

/** A question about what was probably meant, behind a message. */
export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}

/** Where something is answered, and under which settings: what the contexts of events and tools have in common. */
export interface Here {
  readonly paths: Paths;
  readonly place: Place;
  /** The memory folders that apply at the place. */
  readonly folders: readonly MemoryFolder[];
  readonly config: Config;
  readonly log: Log;
  now(): Date;
}
