import { type Config, describeSource, sourceOf } from "../../../core/settings/config.ts";
import { chooseProvider, PROVIDERS } from "../../../core/llm/providers.ts";
import { writeInitSettings } from "../../../features/install/init_record.ts";
import { answerIn, FIRST, OFF } from "../../../core/settings/purposes.ts";
import { unknownServer, withHost } from "../../../core/settings/servers.ts";
import { refuseModel } from "../../../features/verbs/consent.ts";
import { tilde } from "../../../paths.ts";
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
  const usable = OFFERED.filter(({ available }) => available({ ...context, config }) === undefined)
    .map(({ name }) => name);
  const chosen = chooseProvider({ ...context, config: automatic(config) }).name;
  const auto = usable.length === 0
    ? { label: "On, as soon as one is available", hint: NEEDED }
    : { label: `On, using the first available (here: \`${chosen}\`)` };
  return {
    shows: whatIsRead(config, context),
    question: "May a language model read your conversations?",
    choices: [
      choice("off", { label: "Off", hint: "nothing is sent" }, context),
      choice("auto", auto, context),
      ...usable.map((name) => choice(name, { label: `On, using only \`${name}\`` }, context)),
    ],
    initial: currentAnswer(config) ?? "off",
    needsPerson: currentAnswer(config) === undefined,
  };
}

const NEEDED = "set `ANTHROPIC_API_KEY` or log in to `claude`";

/** All that a yes opens: what is read, by which model, through which login, and what it may cost. */
function whatIsRead(config: Config, context: CliContext): string[] {
  const model = config["extract.model"] || config["llm.model"];
  const { "llm.daily_calls": calls, "llm.daily_usd": usd } = config;
  const { name } = chooseProvider({ ...context, config });
  const login = name === "claude"
    ? "through your `claude` login"
    : name === "anthropic"
    ? config["llm.base_url"] === "" ? "with your API key" : `at \`${config["llm.base_url"]}\``
    : `once you ${NEEDED}`;
  const { host } = unknownServer(context.env, config["llm.hosts"]) ?? {};
  const server = host === undefined ? "" : `, at \`${host}\``;
  return [
    `memo can let a language model (\`${model}\`, ${login}${server}) read your conversations, and the memories that ` +
    `they use or change, and write memories from them. Secrets are removed; at most ${calls} calls and $${usd} a day.`,
    "Off: nothing leaves this machine. Details: `memo help privacy`",
  ];
}

function choice(
  answer: string,
  words: Pick<Choice, "label" | "hint">,
  context: CliContext,
): Choice {
  const config = configHere(context);
  const current = currentAnswer(config);
  if (answer === current) return { answer, ...words };
  const isYes = answer !== "off";
  return {
    answer,
    ...words,
    apply() {
      const { env } = context, hosts = config["llm.hosts"];
      if (isYes) refuseModel(env, "let a language model read conversations", "memo init");
      const { host } = unknownServer(env, hosts) ?? {};
      // What is said yes to is written, and a yes to more stays: whatever comes later waits for its own yes.
      const isFirst = current === undefined || current === "off";
      writeInitSettings(context.paths, {
        ...(isFirst || !isYes) && { send: isYes ? FIRST : OFF },
        "capture.enabled": undefined,
        ...isYes && { "llm.provider": answer === "auto" ? undefined : answer },
        ...isYes && host !== undefined && { "llm.hosts": withHost(hosts, host) },
      });
      const path = `\`${tilde(context.paths.config, context.env)}\``;
      return { did: [`${said(answer)}; changed ${path}`] };
    },
  };
}

function said(answer: string): string {
  if (answer === "off") return "Nothing is sent to a language model";
  return answer === "auto" ? "Sending to a language model is on" : `Sending to \`${answer}\` is on`;
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
