import { CompactBlock } from "./compact_block.ts";
import type { PassageBlock } from "./passage_rows.ts";
import { VectorBlock } from "./vectors.ts";

/** A folder with more passages has a byte for each number of its vectors, one with fewer their exact numbers. */
export const LARGE = 2500;

/** An empty block for about so many passages. */
export function blockFor(dimensions: number, count: number): PassageBlock {
  const compact = count > LARGE ? CompactBlock.make(dimensions) : undefined;
  return compact ?? new VectorBlock(dimensions, Math.ceil(count * SPARE));
}

/** Room for vectors, of those that there are: without any to spare, the next one would have all of them copied. */
const SPARE = 1.1;

/** The block itself, or, where it has become large, one that takes less memory. */
export function orCompact(block: PassageBlock): PassageBlock {
  if (block.size <= LARGE || !(block instanceof VectorBlock)) return block;
  const compact = blockFor(block.dimensions, block.size);
  if (compact instanceof VectorBlock) return block; // it cannot be had here
  for (const passage of block.passages()) compact.add(passage);
  return compact;
}
