// Function words of the languages that developers write prompts in. In a store of a dozen memories "how" or
// "cómo" may stand in one of them alone and look like its most telling word; and they tell languages apart. Folded
// like index terms; words that also mean something to developers (`for`, `if` and `while` do not tell memories
// apart) are fine here.

import { fold } from "./fold.ts";
import { stem } from "./stem.ts";

const ENGLISH = words(`
a about after again all also always am an and any are as at be because been before being but by can could did do does
doing done down each few for from get gets getting give go goes got had has have having he her here hers him his
how i if im in into is it its ive just know let lets like make me might more most must my need never no nor not now of
off on once only or other our out over own please same she should so some such tell than thanks that the their
them then there these they this those through to too under until up us use using very want was we were what whats
when where which while who why will with would you your yours
`);

/** Spanish, Portuguese, French, German, Italian and Russian. */
const OTHER = words(`
a al algo an ante aqui asi aun bajo bien cada como con contra cual cuales cuando cuanta cuantas cuanto cuantos de del
desde donde dos el ella ellas ellos en entre era eres es esa esas ese eso esos esta estan estas este esto estos estoy fue ha hace hacer
hacia han hasta hay i in jamas la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros nunca o os otra otro para pero
poco por porque puede puedo que quien quienes quiero se sea ser si siempre sin sobre solo son soy su sus tambien tan te tener
tengo ti tiene todo todos tu tus un una uno unos usted va vamos y ya yo

ao aos as ate com da das dela dele do dos e em essa esse eu foi isso isto ja mais mas meu minha muito na nas nao
nem no nos num numa os ou para pela pelo por qual quando quem sao se sem sempre seu sua tambem tem uma um voce

au aux avec ce ces cette comment dans des du elle est et etre il ils jamais je la le les leur lui mais mes moi mon ne nous
on ou par pas plus pour pourquoi qu quand quel quelle qui sa ses son sont sur ta te toujours tous toutes tes toi ton une vous

aber als am auch auf aus bei bin bis das dass dem den der des die dir doch du ein eine einem einen einer er es fur
habe haben hat ich ihr im immer ist ja kann kein mein mich mir mit nach nicht nie niemals noch nur oder sein sich sie sind so und
uns uber vom von vor wann warum was welche wenn wer wie wir wird wo zu zum zur

che chi ci come cosa da dal dei del della di dove e ed gli ha ho il io lo ma mai mi ne nel nella nell dell dall sull non per perche piu
quale quando quello questa questo se sempre si sono su sul tra tutti tutte un una uno

в во на с со по и из для не к ко о об от до у за что как это при или если я мы ты вы он она они оно его ее их ему мне
мой нам вам бы же ли то а но да нет никогда всегда все всех все эти этот эта так там тут где когда без через под над между
`);

const ALL: ReadonlySet<string> = new Set(
  [...ENGLISH, ...OTHER].flatMap((word) => [word, stem(word)]),
);

/** Whether an index term is a function word, which says nothing about the subject. */
export function isStopword(term: string): boolean {
  return ALL.has(term);
}

/** Whether a folded word is a function word of English and of no other language here, or the other way round. */
export function tellsLanguage(word: string): "English" | "other" | undefined {
  if (ENGLISH.has(word)) return OTHER.has(word) ? undefined : "English";
  return OTHER.has(word) ? "other" : undefined;
}

/** Whether a folded word is a function word of a language other than English. */
export function isForeignStopword(word: string): boolean {
  return OTHER.has(word);
}

const WORDS = /[\p{L}\p{M}]+/gu;
const CAPITALS = /^\p{Lu}{2,}$/u;

/**
 * The folded words of a text that look like function words and are none: `TODO` in capitals among others that are not,
 * and `todo` as the only one of another language in an English text.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const all = text.match(WORDS) ?? [];
  const shouts = all.every((word) => word === word.toUpperCase());
  const names = new Set(text.match(CALL)?.map(fold));
  const foreign = new Set<string>();
  let isEnglish = false;
  for (const word of all) {
    const folded = fold(word);
    const language = tellsLanguage(folded);
    if (language === "English") isEnglish = true;
    if (language !== "other") continue;
    if (!shouts && CAPITALS.test(word)) names.add(folded);
    else foreign.add(folded);
  }
  return isEnglish && foreign.size === 1 ? names.union(foreign) : names;
}

/** A function, by how it is written: `:has(p)`, `.where(x)`, `set()`; not `if(x)` and `name(s)`. */
const CALL = /(?<=[.:])[a-z]+(?=\()|\b[a-z]+(?=\(\))/gi;

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(fold));
}
