/** A word of prose, with the punctuation around it. */
const WORD = /^["'(¿¡]*\p{L}[\p{L}'’-]{0,23}["')]*[,.;:?!…]*$/u;
/** Words after which a secret can follow that looks like any other word. */
const CUES =
  /pass|pwd|\bpw\b|mdp|pin|secret|token|key|credential|clave|contrase|código|codigo|mot de|kennwort|schlüssel|geheim|senha|chiave|密|口令|パス|暗証|비밀/iu;

/**
 * The plain words at the beginning of a text, for a process without the time to load the redaction rules: it stops
 * before the first word that is more than letters, and returns nothing for a text that mentions secrets.
 */
export function plainWords(text: string): string {
  const words = text.trim().split(/\s+/);
  if (CUES.test(text)) return "";
  const end = words.findIndex((word) => !WORD.test(word));
  if (end < 0) return words.join(" ");
  return end === 0 ? "" : words.slice(0, end).join(" ") + " …";
}
