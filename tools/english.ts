// The English that people and models read, checked for what gives a translation away: `CONTRIBUTING.md`, "English".
//
//   deno run -A tools/english.ts [FILE|FOLDER …]    prints FILE:LINE: habit: text; all that is checked by default

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Where sentences are: documents, printed screens, and the strings of these programs. */
const CHECKED = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs",
  "bench/README.md",
  "bench/notes.md",
  "plugin",
  "hooks",
  "strategies",
  "src",
  "test/snapshots",
  "test/screens",
];

/** What recorded replies answer: another word there is another question. */
const QUESTIONS_TO_MODELS =
  /(?:^|\/)(?:\w*prompt\.md|\w*question\.ts|journal_summary\.ts|enrich\.ts|dream\/proposals\.ts|strategies\/(?:manifest|sidequery|verify)\.ts|mcp\/run\/search\.ts|provenance\.ts|\w+_words\.txt)$/;

const PROGRAM = /\.[jt]s$/;

/** Habits, each with what to say instead. `CODE` is not read. */
export const HABITS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["say memory, not note", /(?<!release |please |side )\bnotes?\b(?! that|:| \()/gi],
  [
    "clipped relative clause: `a file it mentions`, not `the file that it names`",
    /\b(?:an?|the|one|those|these|what|each|every|any|\w+s) (?:(?!say|see|sure|so|show|know|mean|find|note)\w+ )?that (?:it|they|memo) (?:names?|knows?|holds?|has|have|needs?|says?|finds?|reads?|recognis\w+|answers?|overt\w+)\b/gi,
  ],
  ["appear, contain, be", /\b(?:stands?|stood) (?!for\b)/gi],
  ["show, add, bring back is `restore`", /\b(?:brings?|brought)\b/gi],
  [
    "appear, be shown",
    /\b(?:comes?|came) (?:up|whole|first|in words|down again|at the|with (?:the|a) prompt|before the|to the model)\b/gi,
  ],
  ["contain, keep, be true", /\b(?:holds?|held)\b(?! back| (?:the |a )?lock)/gi],
  ["be relevant to", /\bbears? on\b/gi],
  ["replace", /\bovert(?:ake|akes|aken|aking|ook)\b/gi],
  ["no longer has", /\b(?:has|have|had|is|are) no more\b/gi],
  ["need, wait until", /\bwaits? for (?:it|you|a person|them|your)\b/gi],
  ["next to", /\bbeside\b/gi],
  ["your X, memo's X", /\bof (?:yours|memo's|theirs|mine|its own|one's own)\b(?! own)/gi],
  ["only", /(?<!leave \w+ |leaves \w+ |left |leave it |let )\balone\b(?! {2})/gi],
  [
    "otherwise, other",
    /(?<!any|some|no|every|what |who |one |how |nothing |anything |something |everything |where )\belse\b/gi,
  ],
  ["about N", /\bsome \d/gi],
  [
    "subject first",
    /(?:^|[.:;] )(?:Asked|Kept|Said|Given|Told|Left|Measured|Shown|Tried|Counted) (?:was|were|are|is)\b/g,
  ],
  ["not known, not found", /\bis (?:gone since|not there)\b/gi],
];

export interface Finding {
  line: number;
  habit: string;
  text: string;
}

/** What of these habits a document, a printed screen or a program's strings show. */
export function findHabits(path: string, content: string): Finding[] {
  const sentences = PROGRAM.test(path)
    ? stringsOf(content)
    : [{ line: 1, text: path.endsWith(".md") ? proseOf(content) : content }];
  return sentences.flatMap(({ line, text }) => {
    const read = text.replace(CODE, (code) => "·".repeat(code.length));
    return HABITS.flatMap(([habit, pattern]) =>
      [...read.matchAll(pattern)].map(({ index }) => ({
        line: line + text.slice(0, index).split("\n").length - 1,
        habit,
        text: text.slice(Math.max(0, index - 30), index + 50).replaceAll("\n", " "),
      }))
    );
  });
}

/** What is no English in a sentence: code, classes of a page, options, lists of JSON keys, a command of its own name. */
const CODE = /`[^`\n]*`|class="[^"]*"|--\w+|\{[\w, ]+\}|memo team \w+/g;

/** A document without programs and links' targets; lines keep their numbers. */
function proseOf(text: string): string {
  return text.replace(/^```[^]*?^```$/gm, (block) => block.replace(/[^\n]/g, " "))
    .replace(/\]\([^)\n]*\)/g, "]");
}

/** The strings of a program that are sentences: more than one word, no SQL. */
export function stringsOf(program: string): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  let at = 0;
  const isRegExpHere = (before: string) =>
    /(?:^|[(,=:[!&|?{};\n]|=>|\breturn|\btypeof|\bcase)\s*$/.test(before);
  function read(end: string | undefined) {
    while (at < program.length) {
      const char = program[at]!;
      const two = program.slice(at, at + 2);
      if (two === "//") at = endOf("\n");
      else if (two === "/*") at = endOf("*/", 2);
      else if (char === end) return;
      else if (char === "{" && end === "}") at++, read("}"), at++;
      else if (char === '"' || char === "'" || char === "`") string(char);
      else if (char === "/" && isRegExpHere(program.slice(Math.max(0, at - 20), at))) regExp();
      else at++;
    }
  }
  const endOf = (mark: string, from = 0) => {
    const end = program.indexOf(mark, at + from);
    return end < 0 ? program.length : end + mark.length;
  };
  function string(quote: string) {
    const start = at++;
    let text = "";
    while (at < program.length && program[at] !== quote) {
      if (program[at] === "\\") text += program[at + 1] === "n" ? " " : program[at + 1]!, at += 2;
      else if (quote === "`" && program.startsWith("${", at)) {
        at += 2;
        read("}");
        at++;
        text += "X";
      } else text += program[at++]!;
    }
    at++;
    const isSentence = /[a-z]\S* \S*[a-z]/i.test(text) &&
      !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|DROP|PRAGMA|ALTER|WHERE|AND|FROM|JOIN)\b/
        .test(text);
    if (isSentence) found.push({ line: program.slice(0, start).split("\n").length, text });
  }
  function regExp(): void {
    let inClass = false;
    for (at++; at < program.length; at++) {
      if (program[at] === "\\") at++;
      else if (program[at] === "[") inClass = true;
      else if (program[at] === "]") inClass = false;
      else if (program[at] === "\n" || (program[at] === "/" && !inClass)) return void at++;
    }
  }
  read(undefined);
  return found;
}

/** The files that are checked among these files and folders. */
export function checkedFiles(paths: readonly string[] = CHECKED): string[] {
  return globSync(paths.flatMap((path) => [path, `${path}/**/*`]), { cwd: ROOT })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.(?:ts|js|md|txt)$/.test(path) && !QUESTIONS_TO_MODELS.test(path));
}

if (import.meta.main) {
  const paths = Deno.args.length > 0 ? Deno.args : CHECKED;
  let count = 0, letters = 0;
  for (const path of checkedFiles(paths)) {
    const content = readFileSync(ROOT + path, "utf8");
    if (PROGRAM.test(path)) {
      letters += stringsOf(content).reduce((sum, { text }) => sum + text.length, 0);
    }
    for (const { line, habit, text } of findHabits(path, content)) {
      console.log(`${path}:${line}: ${habit}: …${text}…`);
      count++;
    }
  }
  console.log(`${count} found; the strings of these programs have ${letters} letters`);
}
