/** A weight matrix with one byte a number: number = byte × scale + min. */
export interface QuantizedWeight {
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

/** The quantised weights of a TensorFlow.js graph model, by name. */
export type Weights = ReadonlyMap<string, QuantizedWeight>;

interface Manifest {
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly dtype: string;
      readonly quantization?: {
        readonly dtype: string;
        readonly scale: number;
        readonly min: number;
      };
    }[];
  }[];
}

const INT32_BYTES = 4;

/**
 * Reads the uint8 weights of a TFJS graph model by its manifest; its int32 constants are part of the graph and
 * skipped. `read` takes paths that are relative to the manifest.
 */
export function readWeights(
  manifestText: string,
  read: (path: string) => Uint8Array,
): Weights {
  const manifest = JSON.parse(manifestText) as Manifest;
  const weights = new Map<string, QuantizedWeight>();
  for (const group of manifest.weightsManifest) {
    const data = Buffer.concat(group.paths.map(read));
    let offset = 0;
    for (const { name, shape, dtype, quantization } of group.weights) {
      const count = shape.reduce((product, size) => product * size, 1);
      if (quantization === undefined) {
        if (dtype !== "int32") throw new Error(`Weight ${name} has the unknown kind ${dtype}`);
        offset += count * INT32_BYTES;
        continue;
      }
      if (quantization.dtype !== "uint8") {
        throw new Error(`Weight ${name} is quantised as ${quantization.dtype}, not as uint8`);
      }
      const { scale, min } = quantization;
      weights.set(name, { shape, data: data.subarray(offset, offset + count), scale, min });
      offset += count;
    }
    if (offset !== data.length) {
      throw new Error(`Weights take ${data.length} bytes, the manifest says ${offset}`);
    }
  }
  return weights;
}

/** A weight as 32-bit floats. */
export function dequantize({ data, scale, min }: QuantizedWeight): Float32Array {
  return Float32Array.from(data, (byte) => byte * scale + min);
}

/** The byte that stands for 0. */
export function zeroPoint({ scale, min }: QuantizedWeight): number {
  const zero = Math.round(-min / scale);
  if (zero < 0 || zero > 255) throw new Error(`Zero point ${zero} does not fit a byte`);
  return zero;
}
