import { existsSync, readdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Paths } from "../../paths.ts";
import { modelFolder } from "./mod.ts";
import { MODEL } from "../../version.ts";
import { BUILTIN, isEndpoint, type Measured, MODELS, nameOfFolder, rowOf } from "./models.ts";
import { damagedFile, readRecord } from "./record.ts";

/** A model as `memo config model list` shows it. */
export interface ModelStatus {
  readonly name: string;
  /** The model behind `builtin`; undefined for every other one. */
  readonly model?: string;
  readonly state: "built in" | "pulled" | "damaged" | "not pulled" | "endpoint";
  readonly dimensions: number | null;
  readonly languages: string;
  /** Bytes on disk, or to download; 0 for an endpoint. */
  readonly bytes: number;
  /** null for a model without measurements. */
  readonly measured: Measured | null;
}

/** Every model that is known, pulled or in use, the table's first. */
export function listModels(paths: Paths, current: string = BUILTIN): ModelStatus[] {
  const pulled = existsSync(paths.models)
    ? readdirSync(paths.models).map(nameOfFolder).filter((name) => name !== undefined)
    : [];
  const names = new Set<string>([BUILTIN, ...MODELS.map(({ name }) => name), ...pulled.sort()]);
  if (isEndpoint(current)) names.add(current);
  return [...names].map((name) => statusOf(name, paths));
}

/** The state of one model; its files are looked at, not loaded. */
export function statusOf(name: string, paths: Paths): ModelStatus {
  const model = name === BUILTIN ? builtInModel(paths) : undefined;
  const row = rowOf(model ?? name);
  const known = {
    name,
    dimensions: row?.dimensions ?? null,
    languages: row?.languages ?? "",
    bytes: row?.bytes ?? 0,
    measured: row?.measured ?? null,
  };
  if (model !== undefined) return { ...known, model, state: "built in" };
  if (isEndpoint(name)) return { ...known, state: "endpoint" };
  const folder = modelFolder(name, paths);
  const record = readRecord(folder);
  if (record === undefined) {
    const isDamaged = existsSync(folder) && !isAbsolute(name);
    return { ...known, state: isDamaged ? "damaged" : "not pulled" };
  }
  const state = damagedFile(folder, record) === undefined ? "pulled" : "damaged";
  const bytes = record.files.reduce((sum, { size }) => sum + size, 0);
  return { ...known, state, dimensions: record.dimensions, bytes };
}

/** The name of the built-in model, which the executable knows without unpacking it. */
function builtInModel(paths: Paths): string {
  return MODEL || readRecord(modelFolder(BUILTIN, paths))?.repo || "";
}
