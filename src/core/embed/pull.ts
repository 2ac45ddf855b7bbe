import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { MemoError, messageOf } from "../../errors.ts";
import type { Paths } from "../../paths.ts";
import { download, ETAG_SUFFIX } from "./download.ts";
import { OPTIONAL, outsideOf, REQUIRED, WEIGHTS } from "./files.ts";
import { LOCAL, localName, modelName, pulledFolder } from "./models.ts";
import { openFolder } from "./mod.ts";
import { type ModelRecord, writeRecord } from "./record.ts";
import { takeLock } from "../files/lock.ts";

/** The default host of models. */
export const DEFAULT_HOST = "https://huggingface.co";

export interface PullOptions {
  readonly host?: string | undefined;
  /** Branch, tag or commit. */
  readonly revision?: string | undefined;
  readonly onProgress?:
    | ((file: string, done: number, total: number | undefined) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A model that was put into `paths.models`. */
export interface Pulled {
  readonly name: string;
  readonly folder: string;
  readonly record: ModelRecord;
}

/**
 * Downloads a model, or copies it if `model` is a path, tests it, and only then installs it.
 * After an interruption the partial download stays, and the next try continues it.
 */
export async function pullModel(
  model: string,
  paths: Paths,
  options: PullOptions = {},
): Promise<Pulled> {
  const name = isAbsolute(model) ? localName(model) : modelName(model);
  if (isAbsolute(model) && !existsSync(model)) {
    throw new MemoError(
      "not-found",
      `Cannot copy a model from \`${model}\`: no such folder`,
      {
        hint: "Run `memo config model list` to see the models that can be pulled",
      },
    );
  }
  refuseWhatIsNotFetched(name, model);
  const partial = join(paths.models, ".partial", basename(pulledFolder(name, paths)));
  try {
    makeFolder(dirname(partial));
    using _lock = lockPull(name, `${partial}.lock`);
    makeFolder(partial);
    try {
      const { revision, files } = isAbsolute(model)
        ? copyFiles(model, partial)
        : await fetchFiles(name, partial, options);
      const dimensions = await tryModel(name, partial);
      const repo = isAbsolute(model) ? model : name;
      const record = writeRecord(partial, { repo, revision, dimensions }, files);
      for (const path of files) rmSync(join(partial, path) + ETAG_SUFFIX, { force: true });
      const folder = pulledFolder(name, paths);
      replaceFolder(folder, partial);
      return { name, folder, record };
    } finally {
      removeIfEmpty(partial);
    }
  } catch (cause) {
    if (cause instanceof MemoError) throw cause;
    throw new MemoError("file", `Cannot write to \`${paths.models}\`: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function refuseWhatIsNotFetched(name: string, model: string): void {
  if (name === "builtin") {
    throw new MemoError("usage", "Cannot pull `builtin`: it is part of memo", {
      hint: "Run `memo config set model=builtin` to select it",
    });
  }
  if (name.startsWith(`${LOCAL}/`) && !isAbsolute(model)) {
    throw new MemoError(
      "usage",
      `Cannot pull \`${name}\`: it was copied from a folder, so pass that folder`,
      {
        hint: "Run `memo config model pull ./FOLDER`",
      },
    );
  }
}

interface Fetched {
  readonly revision: string;
  readonly files: readonly string[];
}

async function fetchFiles(name: string, folder: string, options: PullOptions): Promise<Fetched> {
  const { revision = "main", signal, onProgress } = options;
  const host = hostUrl(options.host ?? DEFAULT_HOST);
  const hint =
    `Run \`memo config model pull ${name}\` again to resume, or \`memo config model pull ./FOLDER\` with a copy of it`;
  let commit: string | undefined;

  /** Takes all files from the commit of the first one, even if the branch moves meanwhile. */
  async function fetchFile(path: string): Promise<boolean> {
    const state = encodeURIComponent(commit ?? revision);
    const url = new URL(`${host}/${name}/resolve/${state}/${path}`);
    const progress = onProgress &&
      ((done: number, total?: number) => onProgress(path, done, total));
    const found = await download(url, join(folder, path), { signal, hint, onProgress: progress });
    if (/^[0-9a-f]{40}$/.test(found?.commit ?? "")) commit ??= found?.commit;
    return found !== undefined;
  }

  const files: string[] = [];
  for (const path of REQUIRED) {
    if (!await fetchFile(path)) throw missing(name, path, `at \`${host}\``);
    files.push(path);
  }
  for (const path of OPTIONAL) if (await fetchFile(path)) files.push(path);
  for (const { path } of WEIGHTS) {
    if (!await fetchFile(path)) continue;
    const outside = await fetchFile(outsideOf(path)) ? [outsideOf(path)] : [];
    return { revision: commit ?? revision, files: [...files, path, ...outside] };
  }
  throw missing(name, WEIGHTS[0].path, `at \`${host}\``);
}

/** The only place that follows links: the folder is the user's own choice, and a model cache may consist of them. */
function copyFiles(from: string, folder: string): Fetched {
  const isThere = (path: string) =>
    statSync(join(from, path), { throwIfNoEntry: false })?.isFile() === true;
  const weights = WEIGHTS.find(({ path }) => isThere(path));
  const lacking = REQUIRED.find((path) => !isThere(path)) ??
    (weights === undefined ? WEIGHTS[0].path : undefined);
  if (weights === undefined || lacking !== undefined) {
    throw missing(basename(from), lacking ?? WEIGHTS[0].path, `in \`${from}\``);
  }
  const optional = [...OPTIONAL, outsideOf(weights.path)].filter(isThere);
  const files = [...REQUIRED, ...optional, weights.path];
  for (const path of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    copyFileSync(join(from, path), join(folder, path));
    chmodSync(join(folder, path), 0o600);
  }
  return { revision: "", files };
}

/** Loads the model, embeds a text and returns the dimensions; a model that fails is not kept. */
async function tryModel(name: string, folder: string): Promise<number> {
  try {
    const embedder = await openFolder(name, folder);
    try {
      const vector = await embedder.embed("Does this model answer?");
      const length = Math.hypot(...vector);
      if (!(Math.abs(length - 1) < 1e-3)) throw new Error(`its vectors have the length ${length}`);
      return vector.length;
    } finally {
      await embedder.close();
    }
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const why = cause instanceof MemoError ? messageOf(cause.cause ?? cause) : messageOf(cause);
    throw new MemoError("model", `\`${name}\` does not work as an embedding model: ${why}`, {
      cause,
    });
  }
}

/** A folder of memo's own below `paths.models`; a link in its place could redirect the files. */
function makeFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** Removes an empty folder, which remains if the host does not have the model. */
function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Replaces a folder by a new one; the old one stays until the new one is complete. */
function replaceFolder(folder: string, fresh: string): void {
  const old = `${fresh}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, old);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (existsSync(old)) renameSync(old, folder);
    throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

function hostUrl(host: string): string {
  try {
    return new URL(host).href.replace(/\/+$/, "");
  } catch {
    throw new MemoError("usage", `Cannot download from \`${host}\`: it is not a URL`, {
      hint: `Run \`memo config model pull --host ${DEFAULT_HOST} NAME\``,
    });
  }
}

function missing(name: string, path: string, where: string): MemoError {
  return new MemoError("not-found", `\`${name}\` has no \`${path}\` ${where}`, {
    hint: "Run `memo config model list` to see all models",
  });
}

/** A slow download takes hours; a lock of this age belongs to a reused process id. */
const FRESH_MS = 24 * 3_600_000;

/** Keeps other processes from pulling the same model until the end of the `using` scope. */
function lockPull(name: string, path: string): Disposable {
  const release = takeLock(path, FRESH_MS);
  if (release !== undefined) return { [Symbol.dispose]: release };
  throw new MemoError(
    "model",
    `Cannot pull \`${name}\`: process ${ownerOf(path)} is already pulling it`,
    {
      hint: `Wait for it to finish, or remove \`${path}\` if that process is not memo`,
    },
  );
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "unknown"; // it has just finished
  }
}
