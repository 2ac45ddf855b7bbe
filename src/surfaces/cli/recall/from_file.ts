import { join, resolve } from "node:path";
import { Engine } from "../../../core/engine/engine.ts";
import {
  applyImport,
  type ImportStep,
  kindOf,
  readPlaces,
  recognise,
  sourceNamed,
} from "../../../features/import/mod.ts";
import { answerRecall, type RecallAnswer } from "../../mcp/inquiries.ts";
import { toolContext } from "../../mcp/methods.ts";
import { isSuspectMemory, withoutMarks } from "../../../core/memory/provenance.ts";
import { type Env, pathsFor, tilde } from "../../../paths.ts";
import { startBlock } from "../../../core/recall/start_block.ts";
import { counted } from "../../../core/text/counted.ts";
import { visible } from "../../../core/text/neutralise.ts";
import { placeOf, planned } from "../import.ts";
import { type CliContext, contextIn } from "../shared/command.ts";
import { ENDINGS } from "../shared/confirm.ts";
import { paint } from "../shared/output.ts";

/** What a session would get of the notes in a file. */
export type RecallTrial = Awaited<ReturnType<typeof recallFrom>>;

/**
 * What prompts would get of the notes in a file or folder, as if they were the user's own, in a store below
 * `root`. Nothing is installed, started or sent.
 */
export async function recallFrom(
  file: string,
  prompts: readonly string[],
  { context, root }: { readonly context: CliContext; readonly root: string },
) {
  const path = resolve(context.cwd, file);
  kindOf(path); // throws if there is nothing
  const place = placeOf(context);
  const source = sourceNamed(await recognise(path, place) ?? "markdown");
  const reading = await readPlaces(source, [path], place);
  const own = { MEMO_HOME: root, CLAUDE_CONFIG_DIR: join(root, "claude") };
  const patient = { MEMO_RECALL_PRESET: "local", MEMO_RECALL_DEADLINE_MS: "1000" };
  const env: Env = { ...context.env, ...own, ...patient };
  const log = () => {};
  const engine = new Engine({ paths: pathsFor(env), env, log, background: true, isAwaited: true });
  const end = () => void engine.close(); // what still writes below `root`
  for (const signal of ENDINGS) process.once(signal, end);
  try {
    const scratch = contextIn(env, root);
    const { steps } = await planned(source, reading, { options: {}, context: scratch });
    const tools = toolContext(engine, { place: scratch.place, env, log, session: undefined });
    const { written } = await applyImport(steps.flatMap(asOwn), tools.surroundings);
    for (const folder of tools.folders) await engine.sync(folder);
    await engine.embedded();
    const { folders, config, now } = tools;
    const start = await tools.withIndex((index) =>
      startBlock({ index, config, folders, now: now(), journal: [] })
    );
    const answers: { readonly prompt: string; readonly answer: RecallAnswer }[] = [];
    for (const prompt of prompts) {
      answers.push({ prompt, answer: await answerRecall({ prompt }, tools) });
    }
    return { source: source.name, notes: written.length, start, answers };
  } finally {
    for (const signal of ENDINGS) process.off(signal, end);
    await engine.close();
  }
}

/** A note that is new, as the user's own word: as an import is after `memo trust`. */
function asOwn(step: ImportStep): ImportStep[] {
  const { kind, memory } = step;
  if (kind !== "add") return [];
  if (isSuspectMemory(memory)) return [step];
  return [{ ...step, memory: { ...memory, tags: [...withoutMarks(memory.tags), "confirmed"] } }];
}

/** A trial in words. */
export function formatTrial(file: string, trial: RecallTrial, { env, cwd }: CliContext): string {
  const { notes, source, start, answers } = trial;
  const titles = start.listed.length + start.memories.length;
  const words = start.block?.split(/\s+/).length ?? 0;
  return [
    `${counted(notes, "memory")} in \`${tilde(resolve(cwd, file), env)}\` (${source})`,
    "",
    `A session would start with ${counted(titles, "title")} (${counted(words, "word")})`,
    ...answers.flatMap((each) => ["", paint("bold", `“${each.prompt}”`), ...given(each.answer)]),
    "",
  ].join("\n");
}

function given({ memories, nothing }: RecallAnswer): string[] {
  if (memories.length === 0) return [`  ${nothing}`];
  return memories.map(({ name, score, threshold, fate }) => {
    const how = `${score.toFixed(2)}, needs ${threshold}${fate === "title" ? "; title only" : ""}`;
    return `  ${visible(name)}  ${paint("dim", how)}`;
  });
}
