import { type Config, describeSource, sourceOf } from "../../../core/settings/config.ts";
import { whyUnavailable } from "../../../core/llm/providers.ts";
import { writeInitSettings } from "../../../features/install/init_record.ts";
import { sayPresetCost } from "../../../core/llm/preset_cost.ts";
import { tilde } from "../../../paths.ts";
import { PRESETS } from "../../../core/settings/presets.ts";
import { answerIn, OFF, withPurposes } from "../../../core/settings/purposes.ts";
import type { CliContext } from "../shared/command.ts";
import { configHere } from "../config.ts";
import { followSettings } from "../shared/follow_settings.ts";
import { type Choice, settled, type Step } from "./step.ts";

/** Chooses how recall picks memories, and what that costs. */
export const recall: Step = {
  name: "recall",
  title: "Recall: memories for prompts",
  summary: "How recall picks memories",
  answers: PRESETS.map(({ name }) => name),
  plan(context) {
    const config = configHere(context);
    const current = config["recall.preset"];
    const source = sourceOf(config, "recall.preset");
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
    const left = usable.length < PRESETS.length
      ? [`The other presets need a language model: ${unavailable}`]
      : [];
    return {
      shows: [
        "All but `local` send each prompt, the turns before it and titles of memories:",
        ...PRESETS.map(({ name, summary }) => {
          const cost = sayPresetCost(name, config["llm.model"]);
          return `${name}: ${summary}${cost === undefined ? "" : `, ${cost}`}`;
        }),
        ...left,
      ],
      question: "How should recall pick memories?",
      choices: usable.length === 1 ? [] : usable.map((preset) => choice(preset, config, context)),
      initial: current,
    };
  },
};

function choice(
  { name, strategy }: typeof PRESETS[number],
  config: Config,
  context: CliContext,
): Choice {
  const words = { answer: name, label: name, hint: strategy ? "sends prompts" : "default" };
  if (name === config["recall.preset"]) return words;
  return {
    ...words,
    async apply() {
      const isDefault = name === PRESETS[0].name;
      const send = strategy && withPurposes(["recall"], config);
      writeInitSettings(context.paths, {
        ...send !== undefined && { send },
        "recall.preset": isDefault ? undefined : name,
      });
      await followSettings(context);
      return {
        did: [`Recall is \`${name}\`; changed \`${tilde(context.paths.config, context.env)}\``],
      };
    },
  };
}
