// Moves the large constants of an ONNX file into a second file, from which ONNX Runtime maps them into memory instead of
// reading them: it packs the layers from there, and holds no copy of its own beside what it packed.

import { bytes, concat, type Field, fields, integer } from "./protobuf.ts";

/** Constants of at least this size are moved, and begin at a multiple of it: Windows maps no other places of a file. */
const PLACE = 65_536;

/** Field numbers of the messages. */
const MODEL = { graph: 7 } as const;
const GRAPH = { initializer: 5 } as const;
const TENSOR = { rawData: 9, externalData: 13, dataLocation: 14 } as const;
const ENTRY = { key: 1, value: 2 } as const;

/** `TensorProto.DataLocation`. */
const EXTERNAL = 1;

/** Splits a model whose second file lies beside it under the name `location`. */
export function splitModel(model: Uint8Array, location: string) {
  const parts: Uint8Array[] = [];
  let end = 0;
  const add = (part: Uint8Array) => {
    parts.push(part);
    end += part.length;
  };
  const tensor = (field: Field): Uint8Array => {
    const inside = [...fields(field.content)];
    const data = inside.find(({ number }) => number === TENSOR.rawData)?.content;
    if (data === undefined || data.length < PLACE) return field.whole;
    add(new Uint8Array((PLACE - end % PLACE) % PLACE));
    // All offsets are equally long: where the file lies in another one, they are moved in place.
    const facts = { location, offset: String(end).padStart(12, "0"), length: data.length };
    add(data);
    return bytes(
      GRAPH.initializer,
      concat([
        ...inside.filter(({ number }) => number !== TENSOR.rawData).map(({ whole }) => whole),
        ...Object.entries(facts).map(([key, value]) =>
          bytes(
            TENSOR.externalData,
            concat([bytes(ENTRY.key, key), bytes(ENTRY.value, String(value))]),
          )
        ),
        integer(TENSOR.dataLocation, EXTERNAL),
      ]),
    );
  };
  const graph = map(
    model,
    MODEL.graph,
    (field) => bytes(MODEL.graph, map(field.content, GRAPH.initializer, tensor)),
  );
  return { graph, outside: concat(parts) };
}

/** A message with other fields in place of those with a number. */
function map(
  message: Uint8Array,
  number: number,
  change: (field: Field) => Uint8Array,
): Uint8Array {
  return concat(
    [...fields(message)].map((field) => field.number === number ? change(field) : field.whole),
  );
}
