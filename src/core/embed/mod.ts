// Text to vector. The rest of memo imports this file alone.

import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import { builtinModelFolder, hasBuiltinModelFile, turnTelemetryOff } from "../native/mod.ts";
import { type Paths, shortHash } from "../../paths.ts";
import type { Embedder } from "./embedder.ts";
import type { EndpointOptions } from "./endpoint.ts";
import { readRecord, UNIGRAM, type Weights, weightsIn } from "./files.ts";
import { BUILTIN, cosinesInId, isEndpoint, type ModelManifest, profileOf } from "./models.ts";

export { dot, type Embedder, withQueryCache } from "./embedder.ts";
export {
  BUILTIN,
  type Calibration,
  calibrationOf,
  isEndpoint,
  isLoopback,
  type Role,
  scaled,
} from "./models.ts";

interface OpenOptions extends EndpointOptions {
  /** Compute in a thread of its own, so that this one serves others meanwhile. */
  readonly isOffLoop?: boolean | undefined;
}

/**
 * Loads the embedding model of the setting `model`; throws a `model` MemoError if it cannot. Whichever it is, the built-in
 * model reads the words of two texts that are compared, if this build has one that can.
 */
export async function openEmbedder(
  model: string,
  paths: Paths,
  options: OpenOptions = {},
): Promise<Embedder> {
  const embedder = await openModel(model, paths, options);
  if (model === BUILTIN || !hasBuiltinModelFile(UNIGRAM, paths)) return embedder;
  const { readWordsWith } = await import("./reader.ts");
  return readWordsWith(() => openModel(BUILTIN, paths, { isOffLoop: options.isOffLoop }), embedder);
}

async function openModel(
  model: string,
  paths: Paths,
  { isOffLoop, ...endpoint }: OpenOptions,
): Promise<Embedder> {
  if (isEndpoint(model)) {
    const { openEndpoint } = await import("./endpoint.ts");
    return await openEndpoint(model, endpoint);
  }
  const isBuiltin = model === BUILTIN;
  const folder = isBuiltin ? builtinModelFolder(paths) : model;
  const hint = isBuiltin ? "Run `memo doctor`" : "Run `memo config set model=builtin`";
  const weights = weightsIn(folder);
  if (weights === undefined) {
    throw new MemoError(
      "model",
      `No embedding model in \`${folder}\`: it contains no \`onnx/*.onnx\``,
      { hint },
    );
  }
  try {
    turnTelemetryOff();
    const { loadModel } = await import("./local.ts");
    const record = readRecord(folder);
    const name = basename(record.repo ?? folder).replace(/[^\w.-]+/g, "-");
    const state = `${weights.dtype}-${stateOf(folder, weights, record)}${cosinesInId(record)}`;
    const id = `${isBuiltin ? BUILTIN : "local"}/${name}@${state}${declaredInId(record)}`;
    return await loadModel(folder, profileOf(name, record), { id, weights, isOffLoop });
  } catch (cause) {
    throw new MemoError("model", `Cannot load the model in \`${folder}\`: ${messageOf(cause)}`, {
      cause,
      hint,
    });
  }
}

type FolderRecord = ReturnType<typeof readRecord>;

/** Changes whenever the vectors would, as far as a folder shows it without reading its weights. */
function stateOf(folder: string, { path }: Weights, record: FolderRecord): string | number {
  const hash = record.weights ?? record.files?.find((file) => file.path === path)?.sha256;
  return hash?.slice(0, 8) ?? statSync(join(folder, path)).size;
}

/** What `memo.json` declares that changes vectors. */
function declaredInId({ pooling, prefixes, max_tokens }: ModelManifest): string {
  const declared = JSON.stringify({ pooling, prefixes, max_tokens });
  return declared === "{}" ? "" : `+${shortHash(declared)}`;
}
