import { MAGIC } from "../../src/core/embed/unigram.ts";

/** A SentencePiece unigram vocabulary; a piece's position is its token id, and an empty piece matches no text. */
export interface UnigramVocabulary {
  readonly pieces: readonly string[];
  /** The log probability of each piece. */
  readonly scores: Float32Array;
  /** Opens and closes every text. */
  readonly opening: number;
  readonly closing: number;
  /** The token for text that no piece covers. */
  readonly unknown: number;
}

/** Serialises a vocabulary: header, scores, the end of each piece, the pieces. */
export function writeUnigram(vocabulary: UnigramVocabulary): Uint8Array {
  const { pieces, scores, opening, closing, unknown } = vocabulary;
  const encoded = pieces.map((piece) => Buffer.from(piece));
  const text = Buffer.concat(encoded);
  const ends = new Uint32Array(pieces.length);
  let end = 0;
  encoded.forEach((piece, i) => ends[i] = end += piece.length);
  const header = Int32Array.of(MAGIC, pieces.length, opening, closing, unknown, text.length);
  const bytes = (array: ArrayBufferView) => Buffer.from(array.buffer, 0, array.byteLength);
  return Buffer.concat([bytes(header), bytes(Float32Array.from(scores)), bytes(ends), text]);
}
