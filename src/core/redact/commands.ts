// Secrets as arguments of commands: `mysql -pX`, `curl -u a:X`, `sshpass -p X`.

import { matchAt, rowsOf, type SecretSpan } from "./spans.ts";
import table from "./commands.tsv" with { type: "text" };
import { isLikelySecret, SURE } from "./likely.ts";

/** One line, up to the length of a command, with those that continue it. */
const LINE = /(?:\\\r?\n|[^\n]){1,4000}/g;
const ARGUMENT =
  /(?:"(?<double>[^"\n]{1,300})"|'(?<single>[^'\n]{1,300})'|(?<plain>[^\s"'`|&;<>)]{1,300}))/y;
/** The text before the secret, for every known command that takes one as an argument. */
const OPTIONS = Map.groupBy(
  rowsOf(table).flatMap(([option = "", commands = ""]) =>
    commands.split(", ").map((name) => ({ name, option: new RegExp(option, "g") }))
  ),
  ({ name }) => name,
);
const ANY = new RegExp(
  `(?<![\\w-])(?:${[...OPTIONS.keys()].join("|")})(?:\\.exe)?(?= )`,
  "g",
);

/** The secrets in the commands of a text. */
export function commandSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { 0: line, index } of text.matchAll(LINE)) {
    for (const { 0: name, index: at } of line.matchAll(ANY)) {
      const command = name.replace(/\.exe$/, "");
      const rest = line.slice(at, at + 1000);
      for (const { option } of OPTIONS.get(command) ?? []) {
        spans.push(...argumentsIn(rest, option, index + at));
      }
    }
  }
  return spans;
}

function argumentsIn(rest: string, option: RegExp, from: number): SecretSpan[] {
  return [...rest.matchAll(option)].flatMap((match) => {
    const argument = matchAt(ARGUMENT, rest, match.index + match[0].length);
    const { double, single, plain } = argument?.groups ?? {};
    const value = double ?? single ?? plain;
    if (argument === undefined || value === undefined || !isSecret(value)) return [];
    const start = from + argument.index + (plain === undefined ? 1 : 0);
    return [{ kind: "command", start, end: start + value.length }];
  });
}

/** Whether a value is a secret, unlike `-p$PASS`, `-pPASSWORD` and the port in `-p 8080:80`. */
function isSecret(value: string): boolean {
  if (/^\d{1,5}(?:[:/].*)?$/.test(value) || /^-/.test(value)) return false;
  return isLikelySecret(value.padEnd(4, "0"), SURE);
}
