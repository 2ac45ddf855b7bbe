import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { builtinModelFolder } from "../native/mod.ts";
import { turnTelemetryOff } from "../native/telemetry.ts";
import type { Paths } from "../../paths.ts";
import type { Embedder } from "./embedder.ts";
import type { EndpointOptions } from "./endpoint.ts";
import { type Weights, weightsIn } from "./files.ts";
import type { LoadOptions } from "./local.ts";
import {
  BUILTIN,
  isEndpoint,
  LOCAL,
  localName,
  modelName,
  profileOf,
  pulledFolder,
} from "./models.ts";
import { damagedFile, readRecord } from "./record.ts";

/** Loads the embedding model of the setting `model`; throws a `model` MemoError if it cannot. */
export async function openEmbedder(
  model: string,
  paths: Paths,
  { isOffLoop, ...endpoint }: EndpointOptions & Pick<LoadOptions, "isOffLoop"> = {},
): Promise<Embedder> {
  const name = modelName(model);
  if (isEndpoint(name)) {
    const { openEndpoint } = await import("./endpoint.ts");
    return await openEndpoint(name, endpoint);
  }
  return await openFolder(name, modelFolder(name, paths), { isOffLoop });
}

/** The folder of a model's files, which may not exist. */
export function modelFolder(name: string, paths: Paths): string {
  if (name === BUILTIN) return builtinModelFolder(paths);
  return isAbsolute(name) ? name : pulledFolder(name, paths);
}

/** Loads the model in a folder under the given name. */
export async function openFolder(
  name: string,
  folder: string,
  { isOffLoop }: Pick<LoadOptions, "isOffLoop"> = {},
): Promise<Embedder> {
  const weights = weightsIn(folder);
  if (weights === undefined) {
    throw new MemoError("model", `The embedding model \`${name}\` is not in \`${folder}\``, {
      hint: hintFor(name),
    });
  }
  const record = readRecord(folder);
  // The files of the built-in one have been looked at when they were unpacked.
  const damaged = name === BUILTIN ? undefined : record && damagedFile(folder, record);
  if (damaged !== undefined) {
    throw new MemoError("model", `The embedding model \`${name}\` is damaged at \`${damaged}\``, {
      hint: hintFor(name),
    });
  }
  try {
    turnTelemetryOff();
    const { loadModel } = await import("./local.ts");
    const id = identify(name, folder, weights);
    const profile = profileOf(name === BUILTIN ? record?.repo ?? "" : name);
    return await loadModel(folder, profile, { id, weights, isOffLoop });
  } catch (cause) {
    throw new MemoError(
      "model",
      `Cannot load the embedding model \`${name}\` from \`${folder}\`: ${messageOf(cause)}`,
      { cause, hint: hintFor(name) },
    );
  }
}

/** Changes whenever the vectors would: with the model, its precision, or its weights. */
function identify(
  name: string,
  folder: string,
  { path, dtype }: Weights,
): string {
  const record = readRecord(folder);
  const recorded = record?.weights ?? record?.files.find((file) => file.path === path)?.sha256;
  const weights = recorded?.slice(0, 8) ?? statSync(join(folder, path)).size;
  const own = name === BUILTIN && record !== undefined ? `${BUILTIN}/${record.repo}` : name;
  const label = isAbsolute(name) ? localName(name) : own;
  return `${label}@${dtype}-${weights}`;
}

function hintFor(name: string): string {
  if (name === BUILTIN) return "Run `memo doctor`";
  const isLocal = isAbsolute(name) || name.startsWith(`${LOCAL}/`);
  return `Run \`memo config model pull ${isLocal ? "./FOLDER" : name}\``;
}
