import { formatEstimate } from "../../../../bench/estimate.ts";
import type { ModelAccess } from "../../../../bench/recall.ts";
import type { Config } from "../../../core/settings/config.ts";
import type { CliContext } from "../shared/command.ts";
import { say } from "../shared/output.ts";

export interface ModelOptions {
  readonly yes?: boolean;
}

/**
 * The respondent for strategies that ask a language model: the provider of the settings, once the user has seen the cost
 * and said `--yes`. Without it, the reason.
 */
export async function modelAccess(
  { yes }: ModelOptions,
  { config, context }: { readonly config: Config; readonly context: CliContext },
): Promise<ModelAccess> {
  const { asking } = await import("../../../../bench/replies.ts");
  const { paths, env, cwd } = context;
  const { chooseProvider, complete, PROVIDERS } = await import("../../../core/llm/mod.ts");
  const provider = chooseProvider({ paths, env, cwd, config });
  const unavailable = provider.available({ paths, env, cwd, config });
  if (unavailable !== undefined) {
    const tried = config["llm.provider"] === "auto" ? PROVIDERS : [provider];
    const reasons = tried.filter(({ name }) => name !== "none" || tried.length === 1)
      .map((each) => each.available({ paths, env, cwd, config }));
    return { because: `no language model is available (${reasons.join("; ")})` };
  }
  const { spentToday } = await import("../../../core/llm/mod.ts");
  const { estimate } = await import("../../../../bench/estimate.ts");
  const name = config["llm.model"];
  return {
    respondent: asking((question, signal) =>
      complete(question, { paths, env, cwd, config, signal })
    ),
    refuse(questions) {
      if (questions.length === 0) return undefined;
      const cost = estimate(questions, name);
      const said = formatEstimate(cost, name);
      const spent = spentToday(paths.spending, new Date());
      for (
        const [key, needed, left] of [
          ["llm.daily_calls", questions.length, config["llm.daily_calls"] - spent.calls],
          ["llm.daily_usd", cost.usd ?? 0, config["llm.daily_usd"] - spent.usd],
        ] as const
      ) {
        if (needed <= left) continue;
        const enough = Math.ceil(config[key] + needed - left);
        return `${said}: over today's \`${key}\`; \`memo config set ${key}=${enough}\` allows it`;
      }
      if (!yes) return `${said}; pass \`--yes\` to spend it`;
      say(`Asking ${said}`);
      return undefined;
    },
  };
}
