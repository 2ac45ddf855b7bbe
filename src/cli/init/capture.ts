import { type Config, describeSource, sourceOf } from "../../settings/config.ts";
import { findClaude } from "../../llm/claude.ts";
import { chooseProvider, PROVIDERS } from "../../llm/providers.ts";
import { writeInitSettings } from "../../install/init_record.ts";
import { ALL, answerIn, OFF, PURPOSES, unanswered } from "../../settings/purposes.ts";
import { tilde } from "../../paths.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { type Choice, type Plan, settled, type Step } from "./step.ts";

/** The providers that can be chosen, without `none`. */
const OFFERED = PROVIDERS.filter(({ name }) => name !== "none");

/** Chooses whether anything may be sent to a language model, and to which one. */
export const capture: Step = {
  name: "capture",
  title: "Language model: memories from conversations",
  summary: "Language model that memories may be sent to, and that writes them from conversations",
  answers: ["auto", ...OFFERED.map(({ name }) => name), "off"],
  plan: planCapture,
};

function planCapture(context: CliContext): Plan {
  const config = configHere(context);
  const fixed = ["capture.enabled", "llm.provider", "send"].map((key) => sourceOf(config, key))
    .find((source) => source !== undefined && source.from !== "settings");
  if (fixed !== undefined) {
    return settled(
      `${describeSource(fixed)} decides: it is ${currentAnswer(config) ?? "not answered"}`,
    );
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
    question: "Which language model may read your conversations and memories?",
    choices: choicesOf(usable, context),
    initial: currentAnswer(config) ?? "auto",
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
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  return [
    `With a yes memo sends this to \`${model}\`, without secrets, in at most ${calls} calls and $${usd} a day:`,
    ...PURPOSES.map(({ name, sends, when }) => `- ${name}: ${sends}; ${when}`),
    "Without it nothing is sent, and memories are those that you or Claude write.",
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
  const waiting = unanswered(configHere(context));
  const current = currentAnswer(configHere(context));
  return [
    choice("auto", auto, context),
    ...usable.map((name) => choice(name, { label: `On, using only \`${name}\`` }, context)),
    ...current === undefined || waiting.length === 0
      ? []
      : [choice("all", { label: `On as now, and also for ${waiting.join(", ")}` }, context)],
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
      // What is said yes to is written, so that a later purpose waits for its own yes.
      writeInitSettings(context.paths, {
        send: answer === "off" ? OFF : ALL,
        "capture.enabled": undefined,
        ...answer !== "off" && answer !== "all" &&
          { "llm.provider": answer === "auto" ? undefined : answer },
      });
      const path = `\`${tilde(context.paths.config, context.env)}\``;
      return { did: [`${said(answer)}; changed ${path}`] };
    },
  };
}

function said(answer: string): string {
  if (answer === "off") return "Nothing is sent to a language model";
  return answer === "auto" || answer === "all"
    ? "Sending to a language model is on"
    : `Sending to \`${answer}\` is on`;
}

function automatic(config: Config): Config {
  return { ...config, "llm.provider": "auto" };
}

/** What is set now, as the answer that would set it; undefined where nobody has answered. */
function currentAnswer(config: Config): string | undefined {
  const answer = answerIn(config);
  if (answer === "unasked") return undefined;
  return answer === OFF ? "off" : config["llm.provider"];
}
