import type { Command } from "commander";
import { isAbsolute, resolve } from "node:path";
import { loadConfig } from "../../../core/settings/config.ts";
import { whyNotSent } from "../../../core/settings/purposes.ts";
import { listModels, type ModelStatus, statusOf } from "../../../core/embed/installed.ts";
import { isEndpoint, type Measured, modelName } from "../../../core/embed/models.ts";
import { DEFAULT_HOST, pullModel } from "../../../core/embed/pull.ts";
import { MemoError } from "../../../errors.ts";
import { tilde } from "../../../paths.ts";
import type { CliContext } from "../shared/command.ts";
import { columns, out, outJson, paint, say } from "../shared/output.ts";
import { progressBar } from "../shared/progress.ts";

/** `memo config model`: lists and downloads embedding models; `memo config set model=NAME` selects one. */
export function define(command: Command, context: CliContext): void {
  command.command("list", { isDefault: true })
    .description(
      "List models: in use, installed and available, with their measurements",
    )
    .option("--json", "Print JSON")
    .action((options: { json?: boolean }) => list(context, options.json ?? false));
  command.command("pull")
    .description("Download a model, or copy it from a folder, and test it")
    .argument("<name>", "`owner/name` on the host, or the path of a folder")
    .option("--host <url>", "Download host (also `MEMO_MODEL_HOST`, `HF_ENDPOINT`)")
    .option("--revision <name>", "Branch, tag or commit", "main")
    .option("--json", "Print JSON: {name, dimensions, folder}")
    .action((name: string, options: PullFlags) => pull(name, options, context));
}

interface PullFlags {
  readonly host?: string;
  readonly revision: string;
  readonly json?: boolean;
}

function list({ paths, env }: CliContext, json: boolean): void {
  const current = loadConfig(paths.config, env).model;
  const models = listModels(paths, current).map((model) => ({
    ...model,
    used: isCurrent(model, current),
  }));
  if (json) return outJson(models);
  out(columns([
    HEADINGS.map((heading) => paint("bold", heading)),
    ...models.map(({ name, model, state, dimensions, languages, bytes, measured, used }) => [
      used ? "*" : " ",
      model === undefined ? name : `${name} (${model})`,
      state,
      dimensions === null ? "-" : String(dimensions),
      bytes === 0 ? "-" : megabytes(bytes),
      ...figuresOf(measured),
      languages || "-",
    ]),
  ]));
  say(
    "\nMRR@10 and served: memo's suite of coding prompts; es-en: Spanish questions, English texts; " +
      "time: a prompt, relative to all-MiniLM-L6-v2",
  );
}

const HEADINGS = [
  " ",
  "model",
  "state",
  "dimensions",
  "size",
  "MRR@10",
  "served",
  "es-en MRR@10",
  "time",
  "languages",
];

/** The cells of the measurements, `-` for a model without any. */
export function figuresOf(measured: Measured | null): string[] {
  if (measured === null) return ["-", "-", "-", "-"];
  const { mrr, served, spanishToEnglish, time } = measured;
  return [
    mrr.toFixed(3),
    `${Math.round(served * 100)} %`,
    spanishToEnglish.toFixed(3),
    `${time.toFixed(1)} ×`,
  ];
}

function isCurrent({ name }: ModelStatus, current: string): boolean {
  return name === current || name.endsWith(`/${current}`);
}

/** The full name of a model that can be used; an endpoint is asked for a vector. Throws a MemoError for any other. */
export async function usableModel(
  text: string,
  { paths, env, cwd }: CliContext,
  given: { readonly keyFile?: string } = {},
): Promise<string> {
  const name = modelName(folderOf(text, cwd) ?? text);
  if (isEndpoint(name)) {
    const { openEmbedder } = await import("../../../core/embed/mod.ts");
    const config = loadConfig(paths.config, env);
    const keyFile = given.keyFile ?? config["embed.key_file"];
    const refusal = () => whyNotSent("embedding", config);
    const embedder = await openEmbedder(name, paths, { keyFile, refusal });
    await embedder.close();
    say(
      `It answers with ${embedder.dimensions} dimensions; texts of memories and prompts will go there`,
    );
    return name;
  }
  const { state } = statusOf(name, paths);
  if (state === "not pulled" || state === "damaged") {
    throw new MemoError("usage", `Cannot use \`${name}\`: it is ${state}`, {
      hint: `Run \`memo config model pull ${name}\``,
    });
  }
  say("Memories are embedded again in the background, or now with `memo index`");
  return name;
}

async function pull(
  text: string,
  flags: PullFlags,
  { paths, env, cwd }: CliContext,
): Promise<void> {
  const host = flags.host ?? env["MEMO_MODEL_HOST"] ?? env["HF_ENDPOINT"] ?? DEFAULT_HOST;
  const bar = progressBar("Downloading, MB:");
  const seen = new Map<string, { readonly done: number; readonly total: number }>();
  const pulling = pullModel(folderOf(text, cwd) ?? text, paths, {
    host,
    revision: flags.revision,
    onProgress(file, done, total) {
      const files = [...seen.set(file, { done, total: total ?? done }).values()];
      const sum = (of: "done" | "total") => files.reduce((bytes, next) => bytes + next[of], 0);
      bar.update(Math.round(sum("done") / 1e6), Math.round(sum("total") / 1e6));
    },
  });
  const { name, folder, record } = await pulling.finally(() => bar.stop());
  if (flags.json) return outJson({ name, dimensions: record.dimensions, folder });
  say(`Installed \`${name}\` (${record.dimensions} dimensions) in \`${tilde(folder, env)}\``);
  say(`Run \`memo config set model=${name}\` to select it`);
}

/** The absolute path if the text is a path; undefined for a model name. */
function folderOf(text: string, cwd: string): string | undefined {
  return isAbsolute(text) || /^\.\.?(?:[/\\]|$)/.test(text) ? resolve(cwd, text) : undefined;
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
