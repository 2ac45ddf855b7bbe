/** A word as people write it, with the marks around it. */
const WORD = /^["'(¿¡]*\p{L}[\p{L}'’-]{0,23}["')]*[,.;:?!…]*$/u;
/** Words after which a secret may follow that looks like any other word. */
const CUES =
  /pass|pwd|pin|secret|token|key|credential|clave|contrase|código|codigo|mot de|kennwort|schlüssel|geheim|senha|chiave|密|口令|パス|暗証|비밀/iu;

/**
 * What of a text's beginning is plain words, for a process that has no time to load the rules that know secrets: it
 * stops before the first word that is more than letters, and says nothing of a text that speaks of secrets.
 */
export function plainWords(text: string): string {
  const words = text.trim().split(/\s+/);
  if (CUES.test(text)) return "";
  const end = words.findIndex((word) => !WORD.test(word));
  if (end < 0) return words.join(" ");
  return end === 0 ? "" : words.slice(0, end).join(" ") + " …";
}
