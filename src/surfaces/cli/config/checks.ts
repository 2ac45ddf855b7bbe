import { accessSync, constants } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { BUILTIN, isEndpoint, isLoopback, openEmbedder } from "../../../core/embed/mod.ts";
import { MemoError, messageOf } from "../../../errors.ts";
import { missingIn } from "../../../core/files/off.ts";
import { tilde } from "../../../paths.ts";
import { type Config, didYouMean, loadConfig, opens } from "../../../core/settings/config.ts";
import {
  answerIn,
  OFF,
  type PurposeName,
  whyNotSent,
  withPurposes,
} from "../../../core/settings/purposes.ts";
import { ownFile, readOwnFile } from "../../../core/settings/config_file.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import type { CliContext } from "../shared/command.ts";
import { confirm } from "../shared/confirm.ts";
import { say } from "../shared/output.ts";
import { strategyNamed } from "../../../../strategies/mod.ts";
import { whyUnavailable } from "../../../core/llm/mod.ts";
import { presetStrategy, typeOfKey, type Value } from "../../../core/settings/table.ts";
import { KNOWN_TYPES, TYPES } from "../../../core/memory/types.ts";
import { nearest } from "../../../core/text/nearest.ts";
import { shellQuoted } from "../../../core/text/shell_words.ts";

type SettingChange = readonly [key: string, value: Value];

/** Changes as they are written: a model is tried, a strategy's file allowed; throws a MemoError where that fails. */
export async function usable(
  changes: readonly SettingChange[],
  context: CliContext,
  yes: boolean,
): Promise<readonly SettingChange[]> {
  const changed = new Map(changes), allowed = new Map<string, string>();
  for (const [key, value] of changes) {
    if (typeof value !== "string" || value === "") continue;
    const name = key.startsWith("strategy.") ? ownFile(value)?.name : undefined;
    if (name !== undefined) {
      if (!allowed.has(name)) allowed.set(name, await allow(name, context, yes));
      changed.set(key, allowed.get(name)!);
    }
    if (key === "model") {
      changed.set(key, await usableModel(value, context, changed.get("embed.key_file")));
    }
  }
  return [...changed];
}

/** The value of the setting `model`, once the model gives a vector; throws a MemoError if it does not. */
async function usableModel(
  text: string,
  { paths, env, cwd }: CliContext,
  givenKeyFile: Value | undefined,
): Promise<string> {
  const later = "Memories are re-embedded in the background, or now with `memo index`";
  if (text === BUILTIN) {
    say(later);
    return text;
  }
  const config = loadConfig(paths.config, env);
  const name = isEndpoint(text) ? text : resolve(cwd, text);
  const embedder = await openEmbedder(name, paths, {
    keyFile: String(givenKeyFile ?? config["embed.key_file"]),
    refusal: () => whyNotSent("embedding", config),
  });
  await embedder.close();
  const { dimensions } = embedder;
  say(
    isEndpoint(name)
      ? `It returns ${dimensions} dimensions; memory and prompt texts will be sent there`
      : later,
  );
  return name;
}

/** The value that runs a strategy's file with the content that it has now, if the person at the terminal allows that. */
async function allow(name: string, { env, paths }: CliContext, yes: boolean): Promise<string> {
  const folder = dirname(paths.config), command = `memo config set strategy.TYPE=${name}`;
  const { digest } = readOwnFile(folder, name);
  refuseModel(env, "allow a custom strategy", command);
  say(`\`${tilde(join(folder, name), env)}\` will run as you, with all the daemon's rights:`);
  say("it can read, change and send whatever you can. If it changes, you must allow it again.");
  if (!yes && !(process.stdin.isTTY && await confirm(`Allow \`${name}\` as it is now?`))) {
    throw new MemoError("usage", `Cannot use \`${name}\`: you have not allowed it`, {
      hint: `Read it, then run \`${command} --yes\``,
    });
  }
  return `${name}@${digest}`;
}

/** What to look out for with the values of some settings, which take them all the same. */
const DOUBTS: Readonly<
  Record<string, (value: string, where: CliContext & { config: Config }) => string | undefined>
> = {
  "llm.base_url": unencrypted,
  "llm.key_file": (path) => inaccessible(path, constants.R_OK),
  "embed.key_file": (path) => inaccessible(path, constants.R_OK),
  off(value, { paths }) {
    const missing = missingIn(value, paths.home);
    return missing && `\`${missing}\` was not found: check its spelling`;
  },
  "llm.claude_path": (path) => inaccessible(path, constants.X_OK),
  // A `claude` that this finds on the search path is known to sessions from then on.
  send(_, where) {
    const missing = answerIn(where.config) === OFF ? undefined : whyUnavailable(where);
    return missing && `no language model yet: ${missing}`;
  },
};

/** What is dubious about a value that a setting takes all the same. */
export function doubtsOf(key: string, value: Value, where: CliContext & { config: Config }) {
  const type = typeOfKey(key);
  return [
    value === "" ? undefined : DOUBTS[key]?.(String(value), where),
    // Types are an open set, so an unknown one is not an error; it is most often a typo.
    type === undefined || TYPES.some(({ name }) => name === type)
      ? undefined
      : `\`${type}\` is not a known type${didYouMean(nearest(type, KNOWN_TYPES))}`,
  ];
}

function unencrypted(address: string): string | undefined {
  const url = new URL(address);
  if (url.protocol === "https:" || isLoopback(url)) return undefined;
  return `\`${address}\` is not encrypted: the API key and your conversations can be read in transit`;
}

function inaccessible(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return `cannot use \`${path}\`: ${messageOf(error)}`;
  }
}

// What opens a door: a person may do it, a model may not, and what a strategy or a job sends is opened with it.

/** Throws where a model would open what the person has closed. */
export function refuseOpening(changes: readonly SettingChange[], { paths, env }: CliContext): void {
  const own = loadConfig(paths.config, {});
  for (const [key, value] of changes) {
    if (!opens(key, value, own)) continue;
    refuseModel(env, `change \`${key}\``, `memo config set ${key}=${shellQuoted(String(value))}`);
  }
}

/** What `send` becomes where a person who has said yes switches on what sends more. */
export function sendFor(
  changes: readonly SettingChange[],
  { paths }: CliContext,
): [key: string, value: string][] {
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
