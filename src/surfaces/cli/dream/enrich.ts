import { MemoError } from "../../../errors.ts";
import { counted } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { enrich, withFewTriggers } from "../../../features/upkeep/mod.ts";
import type { CliContext } from "../shared/command.ts";
import { catchUp, withEngine } from "../shared/local.ts";
import { out, outJson, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";

/** Asks a language model for example prompts of the memories that have few. */
export async function enrichHere(
  options: { readonly dryRun?: boolean; readonly json?: boolean },
  context: CliContext,
): Promise<void> {
  const result = await withEngine(context, async (engine, folders) => {
    const { paths, env, place } = context;
    const suggestions = paths.triggers;
    const index = await engine.index();
    const sparse = await withFewTriggers({ index, folders, suggestions, isByHand: true });
    const memories = sparse.map(({ name, path }) => ({ name, path }));
    if (options.dryRun || sparse.length === 0) return { memories, asked: 0, applied: 0 };
    const ask = engine.askFor(env, place, "enrich") ?? refuse();
    using bar = progressBar("Enriching");
    const done = await enrich({
      ...{ index, folders, suggestions, ask, now: new Date(), isByHand: true },
      onProgress: bar.update,
    });
    await catchUp(engine);
    return { memories, ...done };
  });
  if (options.json) return outJson(result);
  if (options.dryRun) out(result.memories.map(({ name }) => `${visible(name)}\n`).join(""));
  if (result.memories.length === 0) say("Every memory has enough triggers");
  else if (options.dryRun) {
    say(
      `Would ask for example prompts of ${counted(result.memories.length, "memory", "memories")}`,
    );
  } else say(`Enriched ${result.applied} memories`);
}

function refuse(): never {
  throw new MemoError("llm", "Cannot enrich memories: no language model is available", {
    hint: "Run `memo doctor` to see why",
  });
}
