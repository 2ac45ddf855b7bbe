import { modelName, pulledFolder } from "../../src/embed/models.ts";
import { convertModel } from "../convert_model.ts";
import type { ModelSource } from "../model/sources.ts";
import { PATHS } from "./executable.ts";

/** Puts a model where a pulled one would lie; returns the value of the setting `model`. */
export function layOut(source: ModelSource): string {
  const name = modelName(source.model);
  convertModel(pulledFolder(name, PATHS), source);
  return name;
}
