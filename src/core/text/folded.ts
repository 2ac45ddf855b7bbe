/** A name, or a part of one, in the form in which names are compared. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
