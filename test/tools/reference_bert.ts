// A BERT encoder in plain loops over floats, written from the definition: what a converted model is compared with.

/** Weights as floats: a matrix has a row for each output. */
export interface ReferenceBert {
  readonly hidden: number;
  readonly heads: number;
  readonly epsilon: number;
  /** Rows of word and position vectors, and the one vector of the token type. */
  readonly word: Float32Array;
  readonly position: Float32Array;
  readonly type: Float32Array;
  readonly embeddingNorm: Norm;
  readonly layers: readonly {
    readonly query: Dense;
    readonly key: Dense;
    readonly value: Dense;
    readonly attended: Dense;
    readonly inner: Dense;
    readonly outer: Dense;
    readonly attentionNorm: Norm;
    readonly outputNorm: Norm;
  }[];
}

export interface Dense {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

export interface Norm {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

type Rows = Float64Array[];

/** One vector for each token. */
export function encode(model: ReferenceBert, tokens: readonly number[]): Rows {
  const { hidden, word, position, type } = model;
  let rows: Rows = tokens.map((token, at) =>
    Float64Array.from(
      { length: hidden },
      (_, i) => word[token * hidden + i]! + position[at * hidden + i]! + type[i]!,
    )
  );
  rows = rows.map((row) => normalized(row, model.embeddingNorm, model.epsilon));
  for (const layer of model.layers) {
    const attended = attention(rows, layer, model).map((row, at) =>
      normalized(sum(apply(layer.attended, row), rows[at]!), layer.attentionNorm, model.epsilon)
    );
    rows = attended.map((row) =>
      normalized(
        sum(apply(layer.outer, apply(layer.inner, row).map(gelu)), row),
        layer.outputNorm,
        model.epsilon,
      )
    );
  }
  return rows;
}

function attention(
  rows: Rows,
  { query, key, value }: ReferenceBert["layers"][number],
  { hidden, heads }: ReferenceBert,
): Rows {
  const queries = rows.map((row) => apply(query, row));
  const keys = rows.map((row) => apply(key, row));
  const values = rows.map((row) => apply(value, row));
  const size = hidden / heads;
  return queries.map((asking) => {
    const mixed = new Float64Array(hidden);
    for (let head = 0; head < heads; head++) {
      const part = (row: Float64Array) => row.subarray(head * size, (head + 1) * size);
      const scores = keys.map((row) => Math.exp(dot(part(asking), part(row)) / Math.sqrt(size)));
      const total = scores.reduce((all, score) => all + score, 0);
      values.forEach((row, at) =>
        part(row).forEach((number, i) => mixed[head * size + i]! += number * scores[at]! / total)
      );
    }
    return mixed;
  });
}

function apply({ weights, bias }: Dense, row: Float64Array): Float64Array {
  return Float64Array.from(bias, (start, output) => {
    let total = start;
    for (let i = 0; i < row.length; i++) total += row[i]! * weights[output * row.length + i]!;
    return total;
  });
}

function normalized(row: Float64Array, { scale, shift }: Norm, epsilon: number): Float64Array {
  const mean = row.reduce((all, number) => all + number, 0) / row.length;
  const variance = row.reduce((all, number) => all + (number - mean) ** 2, 0) / row.length;
  return row.map((number, i) =>
    (number - mean) / Math.sqrt(variance + epsilon) * scale[i]! + shift[i]!
  );
}

function sum(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((number, i) => number + b[i]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((all, number, i) => all + number * b[i]!, 0);
}

function gelu(x: number): number {
  return 0.5 * x * (1 + erf(x / Math.SQRT2));
}

/** By its Taylor series, which is exact enough up to 4; beyond it is 1. */
function erf(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let term = x, total = x;
  for (let n = 1; n < 60; n++) {
    term *= -x * x / n;
    total += term / (2 * n + 1);
  }
  return 2 / Math.sqrt(Math.PI) * total;
}
