/** Makes the text of a block. */
export type Block = () => string;

/** A part of a document between `<!-- generated: NAME -->` and `<!-- /generated -->`. */
const MARKED = /(<!-- generated: (\S+) -->\n)[^]*?(<!-- \/generated -->)/g;

/** Fills a document's blocks with their current text; throws for an unknown block. */
export function fill(document: string, blocks: Readonly<Record<string, Block>>): string {
  return document.replace(MARKED, (_whole, begin: string, name: string, end: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`Unknown generated block ${name}`);
    return `${begin}\n${block().trim()}\n\n${end}`;
  });
}
