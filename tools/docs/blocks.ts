import { RULE_FILES } from "../../src/core/memory/rule_files.ts";
import { HOOK_EVENTS } from "../../hooks/events.ts";
import {
  type Preset,
  PRESETS,
  refused,
  type Setting,
  SETTINGS,
  variableOf,
} from "../../src/core/settings/table.ts";
import { COMMANDS } from "../../src/surfaces/cli/mod.ts";
import { OWN_SOURCES, SOURCES } from "../../src/features/import/sources.ts";
import { type Gift, GIFTS } from "../../src/features/install/agents/agent.ts";
import { AGENTS } from "../../src/features/install/agents/mod.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools.ts";
import { TYPES } from "../../src/core/memory/types.ts";
import { costOf } from "../../src/core/llm/mod.ts";
import { PURPOSES } from "../../src/core/settings/purposes.ts";
import { STRATEGIES } from "../../strategies/mod.ts";
import type { Block } from "./fill.ts";
import { markdownTable, paragraph } from "./table.ts";

/** The documents that have generated blocks. */
export const DOCUMENTS = [
  "docs/agents.md",
  "docs/first-day.md",
  "docs/how-it-works.md",
  "docs/memories.md",
  "docs/security.md",
  "docs/session.md",
  "docs/settings.md",
  "docs/sharing.md",
  "plugin/README.md",
] as const;

/** Every block, by name. */
export const BLOCKS: Readonly<Record<string, Block>> = {
  commands: () =>
    markdownTable(
      ["command", "", "description"],
      COMMANDS.map(({ name, group, summary }, i) => [
        `\`memo ${name}\``,
        COMMANDS[i - 1]?.group === group ? "" : group,
        summary,
      ]),
    ),
  purposes: () =>
    markdownTable(
      ["`send`", "what is sent", "when"],
      PURPOSES.map(({ name, sends, when }) => [`\`${name}\``, sends, when]),
    ),
  "import-sources": () =>
    markdownTable(
      ["source", "where it looks", "what becomes a memory"],
      [...SOURCES, ...OWN_SOURCES].map(({ name, where, gives }) => [`\`${name}\``, where, gives]),
    ),
  "rule-files": () =>
    markdownTable(
      ["agent", "in a project", "your own"],
      RULE_FILES.map(({ agent, paths, own = [], globs }) => [
        agent,
        paths.map((path) => `\`${path}\``).join(", ") +
        (globs === undefined ? "" : ` (files: \`${globs}\`)`),
        own.map((path) => `\`~/${path}\``).join(", "),
      ]),
    ),
  agents: () =>
    markdownTable(
      ["agent", ...Object.values(GIFTS), "tested with"],
      AGENTS.map(({ name, label, gives, tried }) => [
        `${label}, \`${name}\``,
        ...(Object.keys(GIFTS) as Gift[]).map((gift) => gives.includes(gift) ? "yes" : ""),
        tried ?? "not run",
      ]),
    ),
  settings: () => settingsTable(SETTINGS.filter((row) => !row.isRare)),
  "rare-settings": () => settingsTable(SETTINGS.filter((row) => row.isRare)),
  strategies: () =>
    markdownTable(
      ["strategy", "how", "cost", "status", "default for"],
      STRATEGIES.map(({ name, summary, cost, status }) => [
        `\`${name}\``,
        summary,
        cost === "api" ? "one LLM call" : "none",
        status,
        typesOf(name),
      ]),
    ),
  presets: () =>
    markdownTable(
      ["preset", "how", "strategy", "tokens per prompt", "$ per 1,000 prompts"],
      PRESETS.map(({ name, summary, strategy, asks }) => [
        `\`${name}\``,
        summary,
        strategy === undefined ? "each type's own" : `\`${strategy}\``,
        ...asks === undefined ? ["0", "0"] : [
          inputs(asks).map((input) => String(input + asks.output)).join(" to "),
          inputs(asks).map((input) => priceOf({ ...asks, input })).join(" to "),
        ],
      ]),
      { figuresFrom: 3 },
    ),
  types: () =>
    markdownTable(
      ["type", "keeps", "strategy", "threshold", "lifespan"],
      TYPES.map(({ name, keeps, strategy, threshold, lifespanDays }) => [
        `\`${name}\``,
        keeps,
        `\`${strategy}\``,
        String(threshold),
        lifespanDays === null ? "permanent" : `${lifespanDays} days`,
      ]),
    ),
  "type-examples": () =>
    markdownTable(
      ["type", "for example"],
      TYPES.map(({ name, example }) => [`\`${name}\``, example]),
    ),
  "hook-events": () =>
    markdownTable(
      ["event", "for", "Claude Code"],
      HOOK_EVENTS.map(({ name, purpose, since }) => [`\`${name}\``, purpose, since]),
    ),
  "mcp-tools": () =>
    markdownTable(
      ["tool", "does", "asks"],
      TOOLS.map(({ name, title, writes }) => [
        `\`${name}\``,
        title,
        writes ? "not while the hooks are installed" : "never",
      ]),
    ),
  "tool-names": () => paragraph(`Tools: ${TOOLS.map(({ name }) => `\`${name}\``).join(", ")}.`),
};

/** What is read in a small store, and in a large one if that is more. */
function inputs({ small, large }: NonNullable<Preset["asks"]>): number[] {
  return small === large ? [small] : [small, large];
}

/** Of 1,000 prompts, with the default model. */
function priceOf(tokens: { readonly input: number; readonly output: number }): string {
  const model = String(SETTINGS.find(({ key }) => key === "llm.model")!.default);
  return (1000 * costOf(model, tokens)!).toFixed(2);
}

function typesOf(strategy: string): string {
  const all: readonly { readonly name: string; readonly strategy: string }[] = TYPES;
  const its = all.filter((row) => row.strategy === strategy);
  if (its.some(({ name }) => name === "*")) return "every other type";
  return its.map(({ name }) => `\`${name}\``).join(", ");
}

function settingsTable(settings: readonly Setting[]): string {
  return markdownTable(
    ["setting", "default", "description", "in a project", "variable"],
    settings.map(({ key, default: value, summary, project, narrow }) => [
      `\`${key}\``,
      value === undefined ? "see types" : value === "" ? "" : `\`${value}\``,
      summary,
      project ? "yes" : "",
      narrow === refused ? "" : `\`${variableOf(key)}\``,
    ]),
  );
}
