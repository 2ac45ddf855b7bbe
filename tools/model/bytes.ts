import { attribute, ElementType, type GraphBuilder, type Tensor } from "./onnx.ts";

/** A matrix of bytes, a row for each input: weight = (byte − zero) × scale, with one scale or one for each column. */
export interface ByteMatrix {
  readonly inputs: number;
  readonly outputs: number;
  readonly data: Uint8Array;
  readonly zero: number;
  readonly scales: Float32Array;
}

/** The byte of a zero where bytes are made here. */
const MIDDLE = 128;
const LARGEST = 127;

/** Rows of weights, one for each output, as bytes with a scale for each: the largest weight of a row becomes 127. */
export function toBytes(weights: Float32Array, inputs: number): ByteMatrix {
  const outputs = weights.length / inputs;
  const data = new Uint8Array(weights.length);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weights.subarray(output * inputs, (output + 1) * inputs);
    const largest = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
    const scale = scales[output] = largest / LARGEST || 1;
    row.forEach((weight, input) => {
      data[input * outputs + output] = MIDDLE + Math.round(weight / scale);
    });
  }
  return { inputs, outputs, data, zero: MIDDLE, scales };
}

/**
 * Multiplies with bytes on both sides: activations are quantised on the fly, which takes a quarter of the memory and
 * half the time of floats. ONNX Runtime fuses the operators into one.
 */
export class ByteMultiplier {
  readonly #graph: GraphBuilder;
  /** Activations that were quantised already: query, key and value read the same one. */
  readonly #quantized = new Map<Tensor, readonly Tensor[]>();

  constructor(graph: GraphBuilder) {
    this.#graph = graph;
  }

  /** x × the matrix. */
  multiply(x: Tensor, { inputs, outputs, data, zero, scales }: ByteMatrix): Tensor {
    const g = this.#graph;
    const quantized = this.#quantized.get(x) ?? g.applyMany("DynamicQuantizeLinear", [x], 3);
    this.#quantized.set(x, quantized);
    const [bytes, scale, offset] = quantized as [Tensor, Tensor, Tensor];
    const one = scales.length === 1;
    const product = g.apply("MatMulInteger", [
      bytes,
      g.constant(ElementType.uint8, [inputs, outputs], data),
      offset,
      g.constant(
        ElementType.uint8,
        one ? [] : [outputs],
        new Uint8Array(scales.length).fill(zero),
      ),
    ]);
    const sizes = g.constant(ElementType.float32, one ? [] : [outputs], scales);
    return g.apply("Mul", [
      g.apply("Cast", [product], attribute.integer("to", ElementType.float32)),
      g.apply("Mul", [scale, sizes]),
    ]);
  }
}
