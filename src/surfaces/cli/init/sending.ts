// The two questions of `memo init` about what is sent to a language model.

import { chooseProvider, PROVIDERS, whyUnavailable } from "../../../core/llm/mod.ts";
import { sayPresetCost } from "../shared/preset_cost.ts";
import { type Config, describeSource, sourceOf } from "../../../core/settings/config.ts";
import { PRESETS } from "../../../core/settings/table.ts";
import {
  answerIn,
  FIRST,
  OFF,
  unknownServer,
  withHost,
  withPurposes,
} from "../../../core/settings/purposes.ts";
import { writeInitSettings } from "../../../features/install/record.ts";
import { refuseModel } from "../../../features/verbs/changed.ts";
import { tilde } from "../../../paths.ts";
import { configHere } from "../config.ts";
import type { CliContext } from "../shared/command.ts";
import { followSettings } from "../shared/follow_settings.ts";
import { type Plan, settled } from "./wizard.ts";

/** The providers that can be chosen. */
export const OFFERED = PROVIDERS.filter(({ name }) => name !== "none");

const NEEDED = "set `ANTHROPIC_API_KEY` or log in to `claude`";

/** Chooses whether anything may be sent to a language model, and to which one. */
export function planCapture(context: CliContext): Plan {
  const { env, paths } = context, config = configHere(context);
  const current = currentAnswer(config);
  const fixed = ["capture.enabled", "llm.provider", "send"].map((key) => sourceOf(config, key))
    .find((source) => source !== undefined && source.from !== "settings");
  if (fixed !== undefined) {
    return settled(`${describeSource(fixed)} decides: it is ${current ?? "not answered"}`);
  }
  const usable = OFFERED.map(({ name, available }) => ({
    name,
    isThere: available({ ...context, config }) === undefined,
  })).filter(({ isThere }) => isThere);
  const chosen = chooseProvider({ ...context, config: { ...config, "llm.provider": "auto" } }).name;
  const offered = [
    { answer: "off", label: "Off", hint: "nothing is sent" },
    {
      answer: "auto",
      ...usable.length === 0
        ? { label: "On, as soon as one is available", hint: NEEDED }
        : { label: `On, using the first available (here: \`${chosen}\`)` },
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
    const what = !isYes
      ? "Nothing is sent to a language model"
      : answer === "auto"
      ? "Sending to a language model is on"
      : `Sending to \`${answer}\` is on`;
    return { did: [`${what}; changed \`${tilde(paths.config, env)}\``] };
  };
  return {
    shows: [
      `memo can let ${readerOf(config, context)}`,
      "Off: nothing leaves this machine. Details: `memo help privacy`",
    ],
    question: "May a language model read your conversations?",
    choices: offered.map((each) =>
      each.answer === current ? each : { ...each, apply: () => apply(each.answer) }
    ),
    initial: current ?? "off",
    needsPerson: current === undefined,
  };
}

/** What is set now, as the answer that would set it; undefined where nobody has answered. */
function currentAnswer(config: Config): string | undefined {
  const answer = answerIn(config);
  if (answer === "unasked") return undefined;
  return answer === OFF ? "off" : config["llm.provider"];
}

/** All that a yes opens: what is read, by which model, through which login, and what it may cost. */
function readerOf(config: Config, context: CliContext): string {
  const { "llm.daily_calls": calls, "llm.daily_usd": usd, "llm.base_url": address } = config;
  const { name } = chooseProvider({ ...context, config });
  const login = name === "claude"
    ? "through your `claude` login"
    : name === "anthropic"
    ? address === "" ? "with your API key" : `at \`${address}\``
    : `once you ${NEEDED}`;
  const { host } = unknownServer(context.env, config["llm.hosts"]) ?? {};
  const server = host === undefined ? "" : `, at \`${host}\``;
  return `a language model (\`${
    config["extract.model"] || config["llm.model"]
  }\`, ${login}${server}) ` +
    "read your conversations, and the memories that they use or change, and write memories from them. " +
    `Secrets are removed; at most ${calls} calls and $${usd} a day.`;
}

/** Says after an install without questions what a language model reads, and how to change that. */
export function captureNote(context: CliContext): string {
  const config = configHere(context);
  if (!config["capture.enabled"]) return "Capture is off (`capture.enabled` is false).\n";
  const current = currentAnswer(config);
  if (current === undefined || current === "off") {
    return "Nothing is sent to a language model, and so no memories are written from conversations, until you say yes:\n" +
      "run `memo init`.\n";
  }
  return `You let ${readerOf(config, context)}\nTo send nothing:    memo config set send=off\n`;
}

/** Chooses how recall picks memories, and what that costs. */
export function planRecall(context: CliContext): Plan {
  const { env, paths } = context, config = configHere(context);
  const current = config["recall.preset"], source = sourceOf(config, "recall.preset");
  if (source !== undefined && source.from !== "settings") {
    return settled(`${describeSource(source)} decides: \`${current}\``);
  }
  const answer = answerIn(config);
  const isOff = answer === OFF || answer === "unasked";
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
  return {
    shows: [
      "All but `local` send each prompt, the turns before it and titles of memories:",
      ...PRESETS.map(({ name, summary }) => {
        const cost = sayPresetCost(name, config["llm.model"]);
        return `${name}: ${summary}${cost === undefined ? "" : `, ${cost}`}`;
      }),
      ...usable.length < PRESETS.length
        ? [`The other presets need a language model: ${unavailable}`]
        : [],
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
