// memo's own adapter of the encoder: low-rank factors that are added to the matrices of its upper layers when these are
// converted, so that it costs nothing at run time (LoRA, Hu et al. 2021). `tools/train/retrieval.py` makes it.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { halfAt } from "../../src/core/embed/words.ts";

/** What the adapter's file has, layer by layer from the first: two factors for each matrix, in this order. */
interface AdapterShape {
  readonly first: number;
  readonly layers: number;
  readonly rank: number;
  /** Each matrix's name in the packed file, its inputs and its outputs. */
  readonly matrices: readonly (readonly [name: string, inputs: number, outputs: number])[];
}

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Adds to a matrix, a row for each output, what the adapter has for it: `weights` itself is changed. */
export type AddFactors = (weights: Float32Array, name: string, layer: number) => Float32Array;

/** Opens the adapter; its factors are 16-bit floats, inputs × rank and rank × outputs. */
export function openAdapter(): AddFactors {
  const shape: AdapterShape = JSON.parse(readFileSync(pathOf("adapter.json"), "utf8"));
  const bytes = readFileSync(pathOf("adapter.bin"));
  const { first, layers, rank, matrices } = shape;
  const sizeOf = (inputs: number, outputs: number) => (inputs + outputs) * rank;
  const perLayer = matrices.reduce((sum, [, inputs, outputs]) => sum + sizeOf(inputs, outputs), 0);
  if (bytes.length !== 2 * layers * perLayer) {
    throw new Error("adapter.bin is not as adapter.json says");
  }
  return (weights, name, layer) => {
    if (layer < first || layer >= first + layers) return weights;
    let at = (layer - first) * perLayer;
    for (const [each, inputs, outputs] of matrices) {
      if (each === name) {
        addProduct(weights, floats(bytes, at, sizeOf(inputs, outputs)), { inputs, outputs, rank });
      }
      at += sizeOf(inputs, outputs);
    }
    return weights;
  };
}

function floats(bytes: Uint8Array, at: number, count: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => halfAt(bytes, 2 * (at + i)));
}

function addProduct(
  weights: Float32Array,
  factors: Float32Array,
  { inputs, outputs, rank }: Readonly<Record<"inputs" | "outputs" | "rank", number>>,
): void {
  const up = factors.subarray(inputs * rank);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      let sum = 0;
      for (let r = 0; r < rank; r++) sum += factors[input * rank + r]! * up[r * outputs + output]!;
      weights[output * inputs + input]! += sum;
    }
  }
}
