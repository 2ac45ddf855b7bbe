// Claude Code puts what was pasted into a prompt between tags, as `<pasted_content id="7fd4">`. The id is a session's own,
// so that no page can end its own paste.

const PASTE = /<pasted_content id="([0-9a-f]{4})">([^]*?)(?:<\/pasted_content id="\1">|$)/g;
/** The end of a paste whose beginning was cut off. */
const REST = /^([^]*)<\/pasted_content id="[0-9a-f]{4}">/;

/** A prompt without what is marked as pasted, and that; what is left of a tag that was cut off counts as pasted. */
export function splitPaste(prompt: string): { readonly typed: string; readonly pasted: string } {
  const pasted: string[] = [];
  const take = (_: string, ...groups: string[]) => (pasted.push(groups.at(-3)!.trim()), "\n");
  const typed = prompt.replace(PASTE, take).replace(REST, take);
  return { typed, pasted: pasted.join("\n") };
}
