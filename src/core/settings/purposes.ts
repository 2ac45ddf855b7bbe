// THE table of what memo may send to a language model or an embedding service. Every request that carries a person's
// text asks `whyNotSent` by purpose; `memo init`, `memo doctor` and docs/security.md print these rows.

import { MemoError } from "../../errors.ts";
import { nearest } from "../text/nearest.ts";
import type { Config } from "./config.ts";
import type { Env } from "../../paths.ts";

/** One purpose for which a person's text may leave memo. */
interface PurposeRow {
  /** Its name in the setting `send`. */
  readonly name: string;
  /** The names of its calls in the spending log. */
  readonly calls: readonly string[];
  readonly sends: string;
  readonly when: string;
  /** It came after the first version: `on` is no yes to it. */
  readonly isLater?: true;
}

/** Every purpose, the ones that need no further step first. A new one is `isLater`, and off until the person names it. */
export const PURPOSES = [
  {
    name: "capture",
    calls: ["extract", "confirm"],
    sends: "new turns of a conversation, and memories they may change",
    when: "after a turn and at session end",
  },
  {
    name: "enrich",
    calls: ["enrich"],
    sends: "memories with few example prompts",
    when: "at session start, after a capture, and with `memo dream --enrich`",
  },
  {
    name: "dream",
    calls: ["dream"],
    sends: "memories that may be duplicate, conflicting or outdated",
    when: "after a capture, about once a day, and with `memo dream`",
  },
  {
    name: "ask",
    calls: ["ask"],
    sends: "the question and the 30 nearest memories",
    when: "with the `memory_ask` tool",
  },
  {
    name: "summary",
    calls: ["summary"],
    sends: "a few days of the journal",
    when: "with `memo log --journal --summary`",
  },
  {
    name: "recall",
    calls: ["sidequery", "verify"],
    sends: "the prompt, the turns before it, and memory titles",
    when: "with each prompt, if `recall.preset` is not `local` or a strategy uses a language model",
  },
  {
    name: "embedding",
    calls: [],
    sends: "memories, history and prompts",
    when: "if `model` is an address on another machine",
  },
] as const satisfies readonly PurposeRow[];

/** A row of `PURPOSES`. */
export type Purpose = typeof PURPOSES[number];
export type PurposeName = Purpose["name"];
/** What a call to a language model is made for; `doctor` carries no text of a person. */
export type CallPurpose = Purpose["calls"][number] | "doctor";

const ROWS: readonly PurposeRow[] = PURPOSES;
const NAMES: readonly string[] = ROWS.map(({ name }) => name);
/** What `send` could name once: such a list still holds for the rest. */
const FORMER: readonly string[] = ["prove", "verdicts"];
/** What `on` says yes to. */
const OF_ON = ROWS.filter(({ isLater }) => !isLater).map(({ name }) => name);

/** The value of `send` that closes every purpose. */
export const OFF = "off";
/** The value of `send` that says yes to the purposes of the first version, and to none that comes later. */
export const ON = "on";
/** The value of `send` after a yes in `memo init`: conversations. What else is sent waits until somebody switches it on. */
export const FIRST: PurposeName = "capture";

/** What the person has answered; `unasked` where nobody has been. */
type ConsentAnswer = "unasked" | typeof OFF | ReadonlySet<string>;

/** The answer in the settings. A home that turned capture off before there was `send` has turned off everything. */
export function answerIn(config: Config): ConsentAnswer {
  const { send } = config;
  if (send === OFF) return OFF;
  if (send !== "") return new Set(namesIn(send));
  const { from } = config.sources["capture.enabled"] ?? {};
  const wasOff = !config["capture.enabled"] && from !== "project";
  return wasOff || config["llm.provider"] === "none" ? OFF : "unasked";
}

/** Why nothing may be sent for a purpose; undefined if it may. */
export function whyNotSent(purpose: PurposeName, config: Config): string | undefined {
  if (config.muted !== undefined) return config.muted;
  const answer = answerIn(config);
  if (answer === OFF) return "nothing is sent to a language model (`send` is `off`)";
  if (answer === "unasked") return "nothing is sent until you choose what (`memo init`)";
  if (answer.has(purpose)) return undefined;
  const more = withPurposes([purpose], config)!.replaceAll(" ", "");
  return `\`send\` does not include \`${purpose}\` (add it: \`memo config set send=${more}\`)`;
}

/** The answer with more purposes; undefined where it has them, or is no yes. */
export function withPurposes(more: readonly PurposeName[], config: Config): string | undefined {
  const answer = answerIn(config);
  if (answer === OFF || answer === "unasked") return undefined;
  const missing = [...new Set(more)].filter((name) => !answer.has(name));
  return missing.length === 0 ? undefined : [config.send, ...missing].join(", ");
}

/** Whether something may be sent for a purpose. */
export function may(purpose: PurposeName, config: Config): boolean {
  return whyNotSent(purpose, config) === undefined;
}

/** Whether conversations are captured: it is on, and they may be sent. */
export function isCapturing(config: Config): boolean {
  return config["capture.enabled"] && may("capture", config);
}

/** The purposes that the person has not decided about: all, or those that came after the answer. */
export function unanswered(config: Config): readonly string[] {
  const answer = answerIn(config);
  if (answer === OFF) return [];
  return NAMES.filter((name) => answer === "unasked" || !OF_ON.includes(name) && !answer.has(name));
}

/** The purpose of a call; undefined for one that carries no text of a person. */
export function purposeOf(call: CallPurpose): PurposeName | undefined {
  return PURPOSES.find(({ calls }) => (calls as readonly string[]).includes(call))?.name;
}

/** Throws a `usage` MemoError unless a text is `off`, or `on` and names of purposes, separated by commas. */
export function checkSend(text: string): void {
  const wrong = namesIn(text).find((name) => ![...NAMES, ...FORMER].includes(name));
  if (text === OFF || wrong === undefined) return;
  const near = nearest(wrong, NAMES);
  throw new MemoError(
    "usage",
    `Cannot set \`send\` to \`${text}\`: it must be \`off\`, \`on\`, or some of ${
      NAMES.join(", ")
    }` +
      (near === undefined ? "" : `; did you mean \`${near}\`?`),
  );
}

/** What is left of the person's answer with a session's: never more than the answer. */
export function narrowSend(own: string, asked: string): string {
  if (asked === OFF || own === OFF) return OFF;
  const also = namesIn(asked), all = namesIn(own);
  const left = all.filter((name) => also.includes(name));
  return left.length === all.length ? own : left.join(", ") || OFF;
}

/** The purposes that a value names. */
function namesIn(text: string): string[] {
  return listed(text).flatMap((name) => name === ON ? OF_ON : [name]);
}

/** The items of a text that are separated by commas. */
function listed(text: string): string[] {
  return text.split(",").map((item) => item.trim()).filter((item) => item !== "");
}

// The servers that a session's environment may send to: those that the person's own settings name.

/** The variables that name a server for Claude, of the API and of clouds. */
const NAMES_SERVER = /^ANTHROPIC_(\w+_)?BASE_URL$/;
/** It needs nobody's permission. */
const USUAL_HOST = "api.anthropic.com";
/** A host that can be repeated in a command for a shell. */
const HOST = /^[\w.:[\]-]+$/;

/** Whether an address is on one of these hosts, which are separated by commas, or on Anthropic's own. */
export function isOnHost(address: string, hosts: string): boolean {
  const { host = "", hostname } = URL.parse(address) ?? {};
  return [USUAL_HOST, ...listed(hosts)].some((name) => name === host || name === hostname);
}

/** Why nothing may be sent with an environment: it names a server that is on none of the hosts. */
export function whyServerRefused(env: Env, hosts: string): string | undefined {
  const found = unknownServer(env, hosts);
  if (found === undefined) return undefined;
  const { variable, host } = found;
  return host === undefined
    ? `\`${variable}\` is not a server address`
    : `\`${variable}\` points to \`${host}\`; to allow it: \`memo config set llm.hosts=${
      withHost(hosts, host)
    }\``;
}

/** The server that an environment names and no setting allows. */
export function unknownServer(env: Env, hosts: string) {
  const variable = Object.keys(env).find((name) =>
    NAMES_SERVER.test(name) && env[name] && !isOnHost(env[name], hosts)
  );
  if (variable === undefined) return undefined;
  const host = URL.parse(env[variable]!)?.host ?? "";
  return { variable, host: HOST.test(host) ? host : undefined };
}

/** The hosts with one more. */
export function withHost(hosts: string, host: string): string {
  return hosts === "" ? host : `${hosts},${host}`;
}
