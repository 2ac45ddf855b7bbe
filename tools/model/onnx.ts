import { bytes, bytesOf, concat, float, integer } from "./protobuf.ts";

/** `TensorProto.DataType` of the kinds used here. */
export const ElementType = { float32: 1, uint8: 2, int8: 3, int64: 7, int4: 22 } as const;

/** 10 is the first version with 4-bit integers. */
const IR_VERSION = 10;
const OPSET = 21;

/** The operators that ONNX Runtime has beyond the standard: those for 4-bit weights, and attention with bytes. */
const CONTRIBUTED = {
  domain: "com.microsoft",
  version: 1,
  operators: new Set(["GatherBlockQuantized", "QAttention"]),
} as const;

/** `AttributeProto.AttributeType`. */
const AttributeType = { float: 1, integer: 2, integers: 7 } as const;

/** The name of a tensor in the graph. */
export type Tensor = string & { readonly tensor: unique symbol };

/** A graph input or output; a dimension that varies has a name. */
export interface Port {
  readonly name: string;
  readonly type: number;
  readonly shape: readonly (number | string)[];
}

/** An attribute of an operator, encoded. */
export const attribute = {
  integer: (name: string, value: number) =>
    concat([bytes(1, name), integer(3, value), integer(20, AttributeType.integer)]),
  float: (name: string, value: number) =>
    concat([bytes(1, name), float(2, value), integer(20, AttributeType.float)]),
  integers: (name: string, values: readonly number[]) =>
    concat([
      bytes(1, name),
      ...values.map((value) => integer(8, value)),
      integer(20, AttributeType.integers),
    ]),
};

/** Builds an ONNX graph in the order in which its operators run. */
export class GraphBuilder {
  readonly #nodes: Uint8Array[] = [];
  readonly #constants: Uint8Array[] = [];
  readonly #inputs: Port[] = [];
  #count = 0;

  input(port: Port): Tensor {
    this.#inputs.push(port);
    return port.name as Tensor;
  }

  constant(type: number, shape: readonly number[], data: ArrayBufferView): Tensor {
    const name = this.#name("c");
    this.#constants.push(concat([
      ...shape.map((size) => integer(1, size)),
      integer(2, type),
      bytes(8, name),
      bytes(9, bytesOf(data)),
    ]));
    return name;
  }

  /** A single 32-bit float. */
  scalar(value: number): Tensor {
    return this.constant(ElementType.float32, [], Float32Array.of(value));
  }

  /** 64-bit integers: a list, or one number without a dimension. */
  integers(value: number | readonly number[]): Tensor {
    const list = typeof value === "number" ? [value] : value;
    const shape = typeof value === "number" ? [] : [list.length];
    return this.constant(ElementType.int64, shape, BigInt64Array.from(list, BigInt));
  }

  /** Adds an operator with one output. */
  apply(operator: string, inputs: readonly Tensor[], ...attributes: readonly Uint8Array[]): Tensor {
    return this.applyMany(operator, inputs, 1, ...attributes)[0]!;
  }

  /** Adds an operator with several outputs. */
  applyMany(
    operator: string,
    inputs: readonly Tensor[],
    outputs: number,
    ...attributes: readonly Uint8Array[]
  ): Tensor[] {
    const names = Array.from({ length: outputs }, () => this.#name("t"));
    this.#nodes.push(concat([
      ...inputs.map((name) => bytes(1, name)),
      ...names.map((name) => bytes(2, name)),
      bytes(3, this.#name(operator)),
      bytes(4, operator),
      ...attributes.map((encoded) => bytes(5, encoded)),
      ...(CONTRIBUTED.operators.has(operator) ? [bytes(7, CONTRIBUTED.domain)] : []),
    ]));
    return names;
  }

  /** The whole model file, with one tensor as its output. */
  model(name: string, result: Tensor, output: Port): Uint8Array {
    this.#nodes.push(concat([
      bytes(1, result),
      bytes(2, output.name),
      bytes(3, this.#name("Identity")),
      bytes(4, "Identity"),
    ]));
    const graph = concat([
      ...this.#nodes.map((node) => bytes(1, node)),
      bytes(2, name),
      ...this.#constants.map((tensor) => bytes(5, tensor)),
      ...this.#inputs.map((port) => bytes(11, valueInfo(port))),
      bytes(12, valueInfo(output)),
    ]);
    return concat([
      integer(1, IR_VERSION),
      bytes(2, "memo"),
      bytes(7, graph),
      bytes(8, concat([bytes(1, ""), integer(2, OPSET)])),
      bytes(8, concat([bytes(1, CONTRIBUTED.domain), integer(2, CONTRIBUTED.version)])),
    ]);
  }

  #name(prefix: string): Tensor {
    return `${prefix}_${this.#count++}` as Tensor;
  }
}

function valueInfo({ name, type, shape }: Port): Uint8Array {
  const dimensions = shape.map((size) =>
    bytes(1, typeof size === "number" ? integer(1, size) : bytes(2, size))
  );
  const tensorType = concat([integer(1, type), bytes(2, concat(dimensions))]);
  return concat([bytes(1, name), bytes(2, bytes(1, tensorType))]);
}
