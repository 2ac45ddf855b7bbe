/** Lower case without diacritics; scripts whose marks carry the word (Devanagari, Thai, …) keep theirs. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return lower.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
}
