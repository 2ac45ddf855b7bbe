// The two questions of `memo init` about what is sent to a language model.

import { chooseProvider, PROVIDERS, whyUnavailable } from "../../../core/llm/mod.ts";
import { type Config, describeSource, sourceOf } from "../../../core/settings/config.ts";
import {
  answerIn,
  FIRST,
  OFF,
  unknownServer,
  withHost,
  withPurposes,
} from "../../../core/settings/purposes.ts";
import { PRESETS } from "../../../core/settings/table.ts";
import { writeInitSettings } from "../../../features/install/record.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import { tilde } from "../../../paths.ts";
import { configHere } from "../config.ts";
import type { CliContext } from "../shared/command.ts";
import { followSettings } from "../shared/follow_settings.ts";
import { formatPresetCost } from "../shared/preset_cost.ts";
import { type Plan, settled } from "./wizard.ts";

/** The providers that can be chosen. */
export const OFFERED = PROVIDERS.filter(({ name }) => name !== "none");

const NEEDED = "set `ANTHROPIC_API_KEY` or log in to `claude`";

/** Chooses whether anything may be sent to a language model, and to which one. */
export function planCapture(context: CliContext): Plan {
  const { env, paths } = context, config = configHere(context);
  const consent = answerIn(config);
  // What is set now, as the answer that would set it; undefined where nobody has answered.
  const current = consent === "unasked"
    ? undefined
    : consent === OFF
    ? "off"
    : config["llm.provider"];
  const fixed = whoDecides(config, "capture.enabled", "llm.provider", "send");
  if (fixed !== undefined) return settled(`${fixed}: it is ${current ?? "not answered"}`);
  const usable = OFFERED.filter(({ available }) => available({ ...context, config }) === undefined);
  const first = chooseProvider({ ...context, config: { ...config, "llm.provider": "auto" } }).name;
  const choices = [
    { answer: "off", label: "Off", hint: "nothing is sent" },
    {
      answer: "auto",
      ...usable.length === 0
        ? { label: "On, as soon as one is available", hint: NEEDED }
        : { label: `On, using the first available (here: \`${first}\`)` },
    },
    ...usable.map(({ name }) => ({ answer: name, label: `On, using only \`${name}\`` })),
  ];
  const apply = (answer: string) => {
    const isYes = answer !== "off", hosts = config["llm.hosts"];
    if (isYes) refuseModel(env, "let a language model read conversations", "memo init");
    const { host } = unknownServer(env, hosts) ?? {};
    // What is said yes to is written, and a yes to more stays: whatever comes later waits for its own yes.
    const isFirst = current === undefined || current === "off";
    writeInitSettings(paths, {
      ...(isFirst || !isYes) && { send: isYes ? FIRST : OFF },
      "capture.enabled": undefined,
      ...isYes && { "llm.provider": answer === "auto" ? undefined : answer },
      ...isYes && host !== undefined && { "llm.hosts": withHost(hosts, host) },
    });
    const to = answer === "auto" ? "a language model" : `\`${answer}\``;
    const what = isYes ? `Sending to ${to} is on` : "Nothing is sent to a language model";
    return { did: [`${what}; changed \`${tilde(paths.config, env)}\``] };
  };
  return {
    shows: [
      `memo can let ${readerOf(config, context)}`,
      "Off: nothing leaves this machine. Details: `memo help privacy`",
    ],
    question: "May a language model read your conversations?",
    choices: choices.map((each) =>
      each.answer === current ? each : { ...each, apply: () => apply(each.answer) }
    ),
    initial: current,
  };
}

/** What decides a setting in place of the person's own settings, such as a variable, in words. */
function whoDecides(config: Config, ...keys: string[]): string | undefined {
  const source = keys.map((key) => sourceOf(config, key))
    .find((source) => source !== undefined && source.from !== "settings");
  return source && `${describeSource(source)} decides`;
}

/** All that a yes opens: what is read, by which model, through which login, and what it may cost. */
function readerOf(config: Config, context: CliContext): string {
  const { "llm.daily_calls": calls, "llm.daily_usd": usd, "llm.base_url": address } = config;
  const { name } = chooseProvider({ ...context, config });
  const key = address === "" ? "with your API key" : `at \`${address}\``;
  const logins: Record<string, string> = { claude: "through your `claude` login", anthropic: key };
  const { host } = unknownServer(context.env, config["llm.hosts"]) ?? {};
  const model = `\`${config["extract.model"] || config["llm.model"]}\``;
  const through = [model, logins[name] ?? `once you ${NEEDED}`, ...host ? [`at \`${host}\``] : []];
  return `a language model (${through.join(", ")}) ` +
    "read your conversations, and the memories that they use or change, and write memories from them. " +
    `Secrets are removed; at most ${calls} calls and $${usd} a day.`;
}

/** Chooses how recall picks memories, and what that costs. */
export function planRecall(context: CliContext): Plan {
  const { env, paths } = context, config = configHere(context);
  const current = config["recall.preset"], fixed = whoDecides(config, "recall.preset");
  if (fixed !== undefined) return settled(`${fixed}: \`${current}\``);
  const consent = answerIn(config), isOff = consent === OFF || consent === "unasked";
  if (isOff && current === "local") return { ...settled(), initial: current };
  const unavailable = whyUnavailable({ ...context, config }, isOff ? "recall" : undefined);
  const usable = PRESETS.filter(({ name, strategy }) =>
    unavailable === undefined || strategy === undefined || name === current
  );
  const apply = async ({ name, strategy }: typeof PRESETS[number]) => {
    const send = strategy && withPurposes(["recall"], config);
    writeInitSettings(paths, {
      ...send !== undefined && { send },
      "recall.preset": name === PRESETS[0].name ? undefined : name,
    });
    await followSettings(context);
    return { did: [`Recall is \`${name}\`; changed \`${tilde(paths.config, env)}\``] };
  };
  const costs = PRESETS.map(({ name, summary }) =>
    [`${name}: ${summary}`, formatPresetCost(name, config["llm.model"])].filter(Boolean).join(", ")
  );
  const missing = `The other presets need a language model: ${unavailable}`;
  return {
    shows: [
      "All but `local` send each prompt, the turns before it and titles of memories:",
      ...costs,
      ...usable.length < PRESETS.length ? [missing] : [],
    ],
    question: "How should recall pick memories?",
    choices: usable.length === 1 ? [] : usable.map((preset) => ({
      answer: preset.name,
      label: preset.name,
      hint: preset.strategy ? "sends prompts" : "default",
      ...preset.name !== current && { apply: () => apply(preset) },
    })),
    initial: current,
  };
}
