import type { Command } from "commander";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { STRATEGIES } from "../../../strategies/mod.ts";
import {
  coerce,
  type Config,
  defaultOf,
  describeSource,
  sourceOf,
  typeSettings,
  unknownSetting,
  valueOf,
} from "../../core/settings/config.ts";
import { whyNotSent } from "../../core/settings/purposes.ts";
import {
  PRESETS,
  settingOf,
  SETTINGS,
  typeOfKey,
  type Value,
  variableOf,
} from "../../core/settings/table.ts";
import { changeSettingsFile, ownFile, readSettingsFile } from "../../core/settings/config_file.ts";
import { MemoError } from "../../errors.ts";
import { formatPresetCost } from "./shared/preset_cost.ts";
import { strategyOf } from "../../core/recall/retrieve.ts";
import { TYPES } from "../../core/memory/types.ts";
import { counted } from "../../core/text/counted.ts";
import { tilde } from "../../paths.ts";
import type { CliContext } from "./shared/command.ts";
import { configHere } from "./shared/config_here.ts";
import * as briefing from "./config/briefing.ts";
import { doubtsOf, refuseOpening, sendFor, usable } from "./config/checks.ts";
import { openInEditor } from "./shared/editor.ts";
import type { Json } from "./shared/options.ts";
import { columns, out, outJson, paint, say } from "./shared/output.ts";

/** `memo config`: shows and changes settings. */
export function define(command: Command, context: CliContext): void {
  command.command("list").description("List all settings with their values and sources")
    .option("-a, --all", "Include rarely needed settings")
    .option("--json", "Print all settings as JSON")
    .action((options: Json & { readonly all?: boolean }) => list(context, options));
  command.command("get").description("Print the effective value of a setting")
    .argument("<key>", "Setting, such as `recall.min_chars` or `strategy.feedback`")
    .action((key: string, { json }: Json) => get(key, context, json ?? false));
  command.command("set").description("Change settings; a running daemon applies them at once")
    .argument("<settings...>", "`KEY VALUE`, or any number of `KEY=VALUE`")
    .option("--yes", "Allow a strategy's file without asking")
    .action(async (words: string[], { json, yes }: Json & { readonly yes?: boolean }) => {
      const pairs = assignments(words);
      await set(pairs, context, yes);
      const keys = pairs.map(([key]) => key);
      await follow(keys, context);
      if (json) outJson(keys.map((key) => describe(key, configHere(context))));
    });
  command.command("unset").description("Reset settings to their defaults")
    .argument("<key...>", "Settings to remove from `config.yaml`")
    .action(async (keys: string[], { json }: Json) => {
      unset(keys, context);
      await follow(keys, context);
      const known = keys.filter((key) => settingOf(key) !== undefined);
      if (json) outJson(known.map((key) => describe(key, configHere(context))));
    });
  command.command("path").description("Print the path of `config.yaml`")
    .action(({ json }: Json) => {
      const { config: path } = context.paths;
      if (json) outJson({ path });
      else out(path + "\n");
    });
  defineTypes(command.command("types"), context);
  defineStrategies(command.command("strategies"), context);
  briefing.define(
    command.command("briefing")
      .description("Print a project briefing, or keep one in CLAUDE.md"),
    context,
  );
  command.command("edit").description("Open `config.yaml` in your editor and validate it")
    .action(() => edit(context));
}

/** A change of strategy, of the preset that chooses strategies, or of the moments may need another hook. */
async function follow(keys: readonly string[], context: CliContext): Promise<void> {
  if (!keys.some((key) => key.startsWith("strategy.") || FOLLOWED.includes(key))) return;
  const { followSettings } = await import("./shared/follow_settings.ts");
  await followSettings(context);
}

function list(context: CliContext, { all, json }: Json & { readonly all?: boolean }): void {
  const config = configHere(context);
  const every = SETTINGS.flatMap(({ key }) =>
    key.endsWith(".*") ? [key, ...setBelow(key, config)] : [key]
  ).map((key) => describe(key, config));
  if (json) outJson(every);
  else {
    const rows = every.filter(({ key, source }) =>
      all || source !== undefined || !settingOf(key)!.isRare
    );
    out(columns([
      ["setting", "value", "description"].map((heading) => paint("bold", heading)),
      ...rows.map((row) => [
        row.key,
        paint(row.source === undefined ? [] : "bold", String(row.value) || "-"),
        row.source === undefined
          ? row.summary
          : `${row.summary} (${row.from}; default ${String(row.default) || "-"})`,
      ]),
    ]));
    const hidden = every.length - rows.length;
    if (hidden > 0) say(`${counted(hidden, "rarely needed setting")} not listed; see \`--all\``);
  }
  warn(config);
}

/** The types that have an override of a per-type setting. */
function setBelow(key: string, { perType }: Config): string[] {
  const prefix = key.slice(0, -1);
  return Object.keys(perType).filter((set) => set.startsWith(prefix) && set !== key).sort();
}

function describe(key: string, config: Config) {
  const source = sourceOf(config, key);
  const { summary, project } = settingOf(key)!;
  return {
    key,
    value: valueOf(config, key),
    default: defaultOf(key),
    from: describeSource(source),
    source,
    variable: variableOf(key),
    project,
    summary,
  };
}

function get(key: string, context: CliContext, json: boolean): void {
  if (settingOf(key) === undefined) throw unknownSetting(key);
  const config = configHere(context);
  if (json) outJson(describe(key, config));
  else {
    out(`${valueOf(config, key)}\n`);
    if (key === PRESET) { for (const { name } of PRESETS) printCost(name, config); }
  }
  warn(config);
}

/** `KEY VALUE`, or any number of `KEY=VALUE`. */
function assignments(words: readonly string[]): readonly (readonly [string, string])[] {
  const [key, value] = words;
  if (words.length === 2 && !key!.includes("=")) return [[key!, value!]];
  return words.map((word) => {
    const at = word.indexOf("=");
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
    throw new MemoError("usage", `Cannot set \`${word}\`: it takes one value`, {
      hint:
        "Run `memo config set KEY VALUE`, or any number of `KEY=VALUE`; quote values with spaces",
    });
  });
}

async function set(
  pairs: readonly (readonly [string, string])[],
  context: CliContext,
  yes = false,
): Promise<void> {
  const asked = pairs.map(([key, raw]) =>
    [key, coerce(key, raw, { strategies: STRATEGIES })] as const
  );
  const more = sendFor(asked, context);
  refuseOpening([...asked, ...more], context);
  const changes = [...await usable(asked, context, yes), ...more];
  changeSettingsFile(context.paths.config, Object.fromEntries(changes));
  const config = configHere(context);
  for (const [key, value] of changes) {
    say(`\`${key}\` is ${shownAs(value)}`);
    if (key === PRESET) printCost(String(value), config);
    const source = sourceOf(config, key);
    const overridden = source?.from === "settings"
      ? undefined
      : `\`${describeSource(source)}\` overrides this: ${valueOf(config, key)}`;
    for (const doubt of [...doubtsOf(key, value, { ...context, config }), overridden]) {
      if (doubt !== undefined) say(`warning: ${doubt}`);
    }
  }
  warn(config);
}

function shownAs(value: Value): string {
  return value === "" ? "empty" : String(value);
}

const PRESET = "recall.preset";
/** Settings that decide which hooks are installed, apart from strategies. */
const FOLLOWED = [PRESET, "recall.moments"];

function printCost(preset: string, config: Config): void {
  const cost = formatPresetCost(preset, config["llm.model"]);
  if (cost === undefined) return;
  const { "llm.daily_usd": usd, "llm.daily_calls": calls } = config;
  const refused = whyNotSent("recall", config);
  const limits = refused === undefined
    ? `at most $${usd} and ${calls} calls a day`
    : `but not now: ${refused}`;
  say(`\`${preset}\` asks a language model, ${cost}; ${limits}`);
}

function unset(keys: readonly string[], context: CliContext): void {
  const { config: path } = context.paths;
  const found = readSettingsFile(path).values.map(({ key }) => key);
  // Keys that memo does not know can be removed from the file too.
  const unknown = keys.find((key) => settingOf(key) === undefined && !found.includes(key));
  if (unknown !== undefined) throw unknownSetting(unknown);
  const known = keys.filter((key) => settingOf(key) !== undefined);
  refuseOpening(known.map((key) => [key, defaultOf(key)]), context);
  changeSettingsFile(path, Object.fromEntries(keys.map((key) => [key, undefined])));
  const config = configHere(context);
  for (const key of keys) {
    const was = found.includes(key) ? "" : ` was not set in \`${tilde(path, context.env)}\`; it`;
    const now = settingOf(key) === undefined
      ? "was removed"
      : `is ${shownAs(valueOf(config, key))} (${describeSource(sourceOf(config, key))})`;
    say(`\`${key}\`${was} ${now}`);
  }
}

function edit(context: CliContext): void {
  const { config: path } = context.paths;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  openInEditor(path, context.env);
  const { problem } = readSettingsFile(path);
  if (problem !== undefined) {
    throw new MemoError("file", problem, { hint: "Run `memo config edit` again to fix it" });
  }
  warn(configHere(context));
}

function warn(config: Config): void {
  for (const warning of config.warnings) say(`warning: ${warning}`);
}

/** `memo config types`: lists the policy of each type, with the settings applied. */
function defineTypes(command: Command, context: CliContext): void {
  defineTable(command.description("Show memory types and their policies"), context, {
    headings: ["type", "strategy", "threshold", "set by", "lifespan", "briefing", "keeps"],
    rowsOf: (config) =>
      typesIn(config).map((name) => {
        const from = (field: string) => describeSource(sourceOf(config, `${field}.${name}`));
        const sources = { strategy: from("strategy"), threshold: from("threshold") };
        return { ...typeSettings(config, name), name, from: sources };
      }),
    cellsOf: ({ name, strategy, threshold, from, lifespanDays, briefingLines, keeps }) => [
      name,
      strategy,
      String(threshold),
      [...new Set([from.strategy, from.threshold])].join(", "),
      lifespanDays === null ? "permanent" : `${lifespanDays} days`,
      briefingLines === null ? "–" : `${briefingLines} lines`,
      keeps,
    ],
  });
}

/** `memo config strategies`: lists the strategies, and the types that each one ranks here. */
function defineStrategies(command: Command, context: CliContext): void {
  defineTable(command.description("Show strategies and the types they rank"), context, {
    headings: ["strategy", "cost", "status", "ranks", "how"],
    rowsOf(config) {
      const inForce = new Set(Object.values(config.perType).map(String));
      const own = [...inForce].filter(ownFile).flatMap((value) => strategyOf(value, config) ?? []);
      return [...STRATEGIES, ...own].map(({ name, summary, cost, status, needsMs }) => ({
        ...{ name, summary, cost, status, needsMs },
        types: typesIn(config).filter((type) => {
          const value = typeSettings(config, type).strategy;
          return (ownFile(value)?.name ?? value) === name;
        }),
      }));
    },
    cellsOf: ({ name, cost, status, types, summary }) => [
      ...[name, cost, status],
      types.join(", ") || "-",
      summary,
    ],
    hint:
      "Run `memo config set strategy.TYPE=NAME` to change a type's strategy, `strategy.*` for all",
  });
}

function defineTable<Row>(
  command: Command,
  context: CliContext,
  { headings, rowsOf, cellsOf, hint }: {
    readonly headings: readonly string[];
    readonly rowsOf: (config: Config) => readonly Row[];
    readonly cellsOf: (row: Row) => string[];
    readonly hint?: string;
  },
): void {
  command.action(({ json }: Json) => {
    const config = configHere(context);
    warn(config);
    const rows = rowsOf(config);
    if (json) return outJson(rows);
    out(columns([headings.map((heading) => paint("bold", heading)), ...rows.map(cellsOf)]));
    if (hint !== undefined) say(`\nhint: ${hint}`);
  });
}

/** The known types and those that settings name; `*`, which stands for all others, comes last. */
function typesIn({ perType }: Config): string[] {
  const known = TYPES.map(({ name }) => name).filter((name) => name !== "*");
  return [...new Set([...known, ...Object.keys(perType).map((key) => typeOfKey(key)!), "*"])]
    .sort((a, b) => Number(a === "*") - Number(b === "*"));
}
