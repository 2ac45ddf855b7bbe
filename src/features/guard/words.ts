// The words by which a rule says what it forbids and what it wants, and the programs it may name. A rule is read for a
// proposal alone: a person sees it, with what it would have stopped, before anything is guarded.

import { anyOf, WORD_END } from "../../core/text/rule.ts";
import commands from "./commands.json" with { type: "json" };

const word = (body: string) => `(?<![\\p{L}\\p{N}_-])(?:${body})${WORD_END}`;

/** What says of a file that it is not to be changed, without a word for changing it. */
export const FROZEN = new RegExp(
  [
    "hands off|leave .{1,60} alone|(?:stays?|keep .{1,40}) as (?:it|they) (?:is|are)|read[- ]only|frozen|untouch|off[- ]limits",
    "(?:is|are) (?:only )?(?:written|changed|edited|managed|maintained|updated) (?:only )?(?:by|with|through)",
    "finger weg|in ruhe|schreibgeschützt|eingefroren|tabu|(?:ändert|ändern|schreibt) nur",
    "lecture seule|intouchable|gelée?s?(?!\\p{L})|solo lectura|intocable|(?:somente|só) leitura|intocáve|sola lettura",
    "blij(?:ft|ven) zoals|alleen[- ]lezen|bevroren|tylko do odczytu|zamrożon|только для чтения|заморожен",
    "只读|唯讀|冻结|読み取り専用|凍結|읽기 ?전용",
  ].join("|"),
  "iu",
);

/** What asks for something. */
export const WANTS = new RegExp(anyOf("always", "use", "wanted"), "iu");

/** `pnpm instead of npm`: what follows is not wanted … */
export const INSTEAD_OF = new RegExp(
  word(
    "instead of|rather than|in place of|anstatt|anstelle von|statt|en vez de|en lugar de|au lieu de|plutôt que(?: de)?|" +
      "em vez de|ao invés de|invece (?:di|che)|in plaats van|istället för|i stedet for|zamiast|místo|вместо|замість",
  ) + "|而不是|而非",
  "iu",
);
/** … or what precedes. */
export const BUT = /ではなく|じゃなく|でなく|の代わりに|대신|yerine/iu;

/** What changes a file. */
export const CHANGES_FILES = new RegExp(
  [
    "touch|edit|chang|modif|alter|writ|overwrit|delet|remov|hand-?edit|patch|rewrit",
    "anfass|anrühr|änder|bearbeit|lösch|schreib|überschreib|verändert",
    "toc(?:ar|a|ques)|edit[aeo]|modifi|cambi|borr|escrib",
    "touch|modifi|édit|chang|supprim|écri",
    "mex(?:er|a)|alter|apag|modific|tocc|scriv|cancell",
    "wijzig|aanrak|aanpas|bewerk|verwijder|ändra|rör|endre",
    "zmienia|edyt|rusza|usuwa|трога|меня|измен|редактир|удал|правь|чіпа|змін",
    "değiştir|dokun|düzenle|mengubah|ubah|sửa|xóa",
    "改|动|動|碰|编辑|編輯|删|刪|触|編集|変更|修正|いじ|書き換え|건드|수정|변경|편집|삭제",
  ].join("|"),
  "iu",
);

/** What makes a rule hold at times only, which a pattern cannot see. */
export const CONDITION = new RegExp(
  word(
    "unless|except(?: for| when| if)?|only (?:when|if|after)|without (?:asking|permission|approval|my|review)|until|" +
      "on fridays?|during|before|after|outside(?: of)?|außerhalb|fuera de|en dehors d[eu]|außer|ohne|wenn|solange|bevor|salvo|excepto|a menos que|sin|sans|sauf|" +
      "à moins|exceto|sem|tranne|senza|behalve|zonder|если|без|кроме|with \\w+=\\w+|on the \\S+ (?:branch|server)|" +
      "against|towards|hacia|contre|gegen|sur la branche|auf dem (?:server|branch)|in production|en producción|en production",
  ) + "|除非|未经|以外|以前|勝手に|場合|없이",
  "iu",
);

/** What has a name of its own, in words, and the commands that do it. */
export const CONCEPTS: readonly {
  readonly says: RegExp;
  readonly commands: readonly string[];
}[] = [
  {
    says:
      /force[- ]?push|push(?:e|en|es|ing|ed|ear)?[ -](?:mit |with |con |avec )?force|(?:forced|forcierte[rns]?|forcé|forzado|forçado) push|push (?:forced|forcé|forzado|forçado)|forzar (?:el |un )?push|forcer (?:le |un )?push|forçar (?:o |um )?push|强制推送|強制推送|强推|強制(?:プッシュ|push)|フォースプッシュ|강제 ?푸시|форс[- ]?пуш/iu,
    commands: ["git push --force", "git push --force-with-lease"],
  },
  { says: /\bamend/iu, commands: ["git commit --amend"] },
  {
    says:
      /(?:skip|bypass|disable|überspring|umgeh|salt|contourn|saut|ignor|pul)\p{L}*(?: \p{L}+){0,3} (?:git[- ]?|pre-?commit[- ]?)?hooks?|hooks?(?: \p{L}+){0,3} (?:skip|bypass|überspr|umg[ea]h)|跳过.*hook|hook.*(?:スキップ|跳过)/iu,
    commands: ["git commit --no-verify", "git push --no-verify"],
  },
  { says: /hard[- ]?reset|reset --hard/iu, commands: ["git reset --hard"] },
  { says: /\brebas(?:e|es|ing|en)\b/iu, commands: ["git rebase", "git pull --rebase"] },
  { says: /\b(?:git )?stash(?:es|ing|en)?\b/iu, commands: ["git stash"] },
];

/** `push to main`. */
export const PUSH_TO =
  /push(?:e|en|es|ing|ed)?\b[^.;]{0,20}?\b(?:to|on|onto|auf|nach|a|al|sur|vers|para|no|na|in|su|naar|till|do|в)\s+[`“"']?(main|master|develop|trunk|production|release)\b|(?:往|向|到)\s*[`“"']?(main|master|develop)[^。]*(?:推|push)|[`“"']?(main|master|develop)[`”"']?\s*(?:に|へ)[^。]*(?:push|プッシュ)/iu;

/** What an option alone stands for. */
export const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "--no-verify": ["git commit --no-verify", "git push --no-verify"],
  "--force": ["git push --force"],
  "--force-with-lease": ["git push --force-with-lease"],
  "--amend": ["git commit --amend"],
  "--hard": ["git reset --hard"],
};

/** The subcommands of programs, and of subcommands, that a rule may be about. */
const SUBCOMMANDS: Readonly<Record<string, string>> = commands.subcommands;
const SECOND: Readonly<Record<string, string>> = commands.second;

const list = (words: string) => words.split(" ");
/** Programs that a rule may name without quotation marks. */
const named = new Set(list(commands.named));
/** With those whose name is a word too, or too short to tell: in quotation marks, or with a subcommand. */
const all = named.union(new Set(list(commands.quoted)));
/** Of these every second command is one: a rule is about a subcommand of theirs. */
const neverAlone = new Set(list(commands.neverAlone));

/** Whether a word is a program that memo knows. */
export function isProgram(word: string): boolean {
  return all.has(word);
}

/** Whether a rule about a program as a whole can be a guard. */
export function mayStandAlone(program: string): boolean {
  return !neverAlone.has(program);
}

/** The command at the beginning of some words of a sentence: a program with its subcommand and options. */
export function commandAt(words: readonly string[]): string | undefined {
  const [program = "", ...rest] = words;
  if (!all.has(program)) return undefined;
  const taken = [program];
  for (const word of rest) {
    const isOption = /^--?[a-z][\w-]*$/i.test(word);
    const known = taken.length === 1
      ? SUBCOMMANDS[program]
      : taken.length === 2
      ? SECOND[taken.join(" ")]
      : undefined;
    const isMode = taken.length === 1 && program === "chmod" && /^[0-7]{3,4}$/.test(word);
    if (!isOption && !isMode && !list(known ?? "").includes(word)) break;
    taken.push(word);
  }
  if (taken.length > 1) return taken.join(" ");
  return named.has(program) && mayStandAlone(program) ? program : undefined;
}
