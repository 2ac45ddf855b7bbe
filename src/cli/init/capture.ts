import { type Config, describeSource, sourceOf } from "../../settings/config.ts";
import { findClaude } from "../../llm/claude.ts";
import { chooseProvider, PROVIDERS } from "../../llm/providers.ts";
import { writeInitSettings } from "../../install/init_record.ts";
import { tilde } from "../../paths.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { type Choice, type Plan, settled, type Step } from "./step.ts";

/** The providers that can be chosen, without `none`. */
const OFFERED = PROVIDERS.filter(({ name }) => name !== "none");

/** Chooses whether conversations write memories, and which language model reads them. */
export const capture: Step = {
  name: "capture",
  title: "Capture: memories from conversations",
  summary: "Language model that writes memories from conversations",
  answers: ["auto", ...OFFERED.map(({ name }) => name), "off"],
  plan: planCapture,
};

function planCapture(context: CliContext): Plan {
  const config = configHere(context);
  const fixed = ["capture.enabled", "llm.provider"].map((key) => sourceOf(config, key))
    .find((source) => source !== undefined && source.from !== "settings");
  if (fixed !== undefined) {
    return settled(`${describeSource(fixed)} decides: capture is ${currentAnswer(config)}`);
  }
  const found = OFFERED.map(({ name, available }) =>
    [name, available({ ...context, config })] as const
  );
  const usable = found.filter(([, unavailable]) => unavailable === undefined).map(([name]) => name);
  return {
    shows: [
      ...found.map(([name, unavailable]) =>
        `${name}: ${unavailable ?? whatIsThere(name, context)}`
      ),
      "",
      ...whatItSends(config),
    ],
    question: "Which language model may read your conversations?",
    choices: choicesOf(usable, context),
    initial: currentAnswer(config),
  };
}

/** What was found of a provider, in words. */
function whatIsThere(name: string, context: CliContext): string {
  const config = configHere(context);
  if (name === "claude") {
    const path = findClaude({ ...context, config });
    return `\`${tilde(path ?? "claude", context.env)}\`, with the login that you use in it`;
  }
  if (config["llm.base_url"] !== "") return `\`${config["llm.base_url"]}\``;
  return "a key is set (`ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN` or `llm.key_file`)";
}

function whatItSends(config: Config): string[] {
  const model = config["extract.model"] || config["llm.model"];
  return [
    "Capture sends what is new in a conversation, after removing secrets, to the model that you choose, and writes " +
    `memories and a journal from its answers: \`${model}\`, at most ${
      config["llm.daily_calls"]
    } calls and ` +
    `$${
      config["llm.daily_usd"]
    } a day. Without it nothing leaves this machine, and memories are those that you or ` +
    "Claude write.",
  ];
}

function choicesOf(usable: readonly string[], context: CliContext): Choice[] {
  const chosen = chooseProvider({ ...context, config: automatic(configHere(context)) }).name;
  const auto = usable.length === 0
    ? {
      label: "On, as soon as one is available",
      hint: "set `ANTHROPIC_API_KEY` or log in to `claude`",
    }
    : { label: `On, using the first available (here: \`${chosen}\`)`, hint: "default" };
  return [
    choice("auto", auto, context),
    ...usable.map((name) => choice(name, { label: `On, using only \`${name}\`` }, context)),
    choice("off", { label: "Off", hint: "nothing is sent" }, context),
  ];
}

function choice(
  answer: string,
  words: Pick<Choice, "label" | "hint">,
  context: CliContext,
): Choice {
  if (answer === currentAnswer(configHere(context))) return { answer, ...words };
  return {
    answer,
    ...words,
    apply() {
      // The defaults are not written: a file without them follows a newer memo.
      writeInitSettings(context.paths, {
        "capture.enabled": answer === "off" ? false : undefined,
        ...answer !== "off" && { "llm.provider": answer === "auto" ? undefined : answer },
      });
      const path = `\`${tilde(context.paths.config, context.env)}\``;
      return { did: [`${said(answer)}; changed ${path}`] };
    },
  };
}

function said(answer: string): string {
  if (answer === "off") return "Capture is off";
  return answer === "auto" ? "Capture is on" : `Capture asks \`${answer}\``;
}

function automatic(config: Config): Config {
  return { ...config, "llm.provider": "auto" };
}

/** What is set now, as the answer that would set it. */
function currentAnswer(config: Config): string {
  const isOff = !config["capture.enabled"] || config["llm.provider"] === "none";
  return isOff ? "off" : config["llm.provider"];
}
