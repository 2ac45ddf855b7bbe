import { accessSync, constants, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BUILTIN, isEndpoint, isLoopback, openEmbedder } from "../../../core/embed/mod.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { tilde } from "../../../paths.ts";
import { type Config, loadConfig, opens } from "../../../core/settings/config.ts";
import {
  answerIn,
  OFF,
  type PurposeName,
  whyNotSent,
  withPurposes,
} from "../../../core/settings/purposes.ts";
import { ownFile, readOwnFile } from "../../../core/settings/config_file.ts";
import { releasesUrl } from "../../../features/upgrade/releases.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import type { CliContext } from "../shared/command.ts";
import { confirm } from "../shared/confirm.ts";
import { say } from "../shared/output.ts";
import { strategyNamed } from "../../../../strategies/mod.ts";
import { whyUnavailable } from "../../../core/llm/mod.ts";
import { presetStrategy, type Value } from "../../../core/settings/table.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";

type Change = readonly [key: string, value: Value];

/** Values as they are set; throws a MemoError for one that names something that cannot be used. */
export async function checked(
  changes: readonly Change[],
  context: CliContext,
  { yes = false }: { readonly yes?: boolean | undefined } = {},
): Promise<readonly Change[]> {
  const changed = new Map(changes);
  const allowed = new Map<string, string>();
  const keyFile = changed.get("embed.key_file");
  for (const [key, value] of changes) {
    if (typeof value !== "string" || value === "") continue;
    if (key === "llm.claude_path") refuseNoProgram(value);
    if (key === "upgrade.releases") releasesUrl(value);
    const own = key.startsWith("strategy.") ? ownFile(value) : undefined;
    if (own !== undefined) {
      const { name } = own;
      if (!allowed.has(name)) allowed.set(name, await allow(name, context, yes));
      changed.set(key, allowed.get(name)!);
    }
    if (key === "model") {
      const given = typeof keyFile === "string" ? keyFile : undefined;
      changed.set(key, await usableModel(value, context, given));
    }
  }
  return [...changed];
}

/** The value of the setting `model`, once the model gives a vector; throws a MemoError if it does not. */
async function usableModel(
  text: string,
  { paths, env, cwd }: CliContext,
  givenKeyFile: string | undefined,
): Promise<string> {
  const name = text === BUILTIN || isEndpoint(text) ? text : resolve(cwd, text);
  let message = "Memories are embedded again in the background, or now with `memo index`";
  if (name !== BUILTIN) {
    const config = loadConfig(paths.config, env);
    const keyFile = givenKeyFile ?? config["embed.key_file"];
    const refusal = () => whyNotSent("embedding", config);
    const embedder = await openEmbedder(name, paths, { keyFile, refusal });
    await embedder.close();
    if (isEndpoint(name)) {
      message =
        `It answers with ${embedder.dimensions} dimensions; texts of memories and prompts will go there`;
    }
  }
  say(message);
  return name;
}

/** The value that runs a strategy's file with the content that it has now, if the person at the terminal allows that. */
async function allow(name: string, { env, paths }: CliContext, yes: boolean): Promise<string> {
  const folder = dirname(paths.config), command = `memo config set strategy.TYPE=${name}`;
  const { digest } = readOwnFile(folder, name);
  refuseModel(env, "allow a strategy of your own", command);
  say(`\`${tilde(join(folder, name), env)}\` will run as you, with all rights of memo's daemon:`);
  say(
    "it can read, change and send whatever you can. Changed later, it waits to be allowed again.",
  );
  if (!yes && !(process.stdin.isTTY && await confirm("Allow it as it is now?"))) {
    throw new MemoError("usage", `Cannot use \`${name}\`: you have not allowed it`, {
      hint: `Read it, and run \`${command} --yes\``,
    });
  }
  return `${name}@${digest}`;
}

function refuseNoProgram(path: string): void {
  try {
    accessSync(path, constants.X_OK);
    if (statSync(path).isFile()) return;
  } catch {
    // said below
  }
  throw new MemoError(
    "usage",
    `Cannot use \`${path}\` as Claude Code: it is not an executable file`,
    { hint: "Run `command -v claude` to find its path" },
  );
}

/** What to look out for with the values of some settings. */
const CHECKS: Readonly<Record<string, (value: string) => string | undefined>> = {
  "llm.base_url": unencrypted,
  "llm.key_file": unreadable,
  "embed.key_file": unreadable,
};

/** What is dubious about a value that a setting takes all the same. */
export function warningsOf(key: string, value: Value): string[] {
  const warning = value === "" ? undefined : CHECKS[key]?.(String(value));
  return warning === undefined ? [] : [warning];
}

function unencrypted(address: string): string | undefined {
  const url = new URL(address);
  if (url.protocol === "https:" || isLoopback(url)) return undefined;
  return `\`${address}\` is not encrypted: the API key and your conversations can be read on the way`;
}

function unreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `cannot read \`${path}\`: ${messageOf(error)}`;
  }
}

// What opens a door: a person may do it, a model may not, and what a strategy or a job sends is opened with it.

type Changes = readonly Change[];

/** Throws where a model would open what the person has closed. */
export function refuseOpening(changes: Changes, { paths, env }: CliContext): void {
  const own = loadConfig(paths.config, {});
  for (const [key, value] of changes) {
    if (!opens(key, value, own)) continue;
    refuseModel(env, `open \`${key}\``, `memo config set ${key}=${shellQuoted(String(value))}`);
  }
}

/** What `send` becomes where a person who has said yes switches on what sends more. */
export function sendFor(changes: Changes, { paths }: CliContext): [key: string, value: string][] {
  if (changes.some(([key]) => key === "send")) return [];
  const more = changes.flatMap(([key, value]) => purposeOf(key, value) ?? []);
  const send = withPurposes(more, loadConfig(paths.config, {}));
  return send === undefined ? [] : [["send", send]];
}

/** The purpose that a setting switches on with a value. */
function purposeOf(key: string, value: Value): PurposeName | undefined {
  if (key === "enrich.enabled") return value === true ? "enrich" : undefined;
  if (key === "dream.enabled") return value === true ? "dream" : undefined;
  const strategy = key === "recall.preset" ? presetStrategy(String(value)) : String(value);
  const isStrategy = key === "recall.preset" || key.startsWith("strategy.");
  return isStrategy && strategyNamed(strategy ?? "")?.cost === "api" ? "recall" : undefined;
}

/** Says what a yes still lacks. A `claude` that this finds on the search path is known to sessions from then on. */
export function sayWhatIsMissing(config: Config, context: CliContext): void {
  const missing = answerIn(config) === OFF ? undefined : whyUnavailable({ ...context, config });
  if (missing !== undefined) say(`warning: no language model yet: ${missing}`);
}
