// What can come between the name of a secret and its value. To add a form, add a row.

import { matchAt } from "./spans.ts";

/** First match first. */
const OPERATORS: readonly {
  readonly pattern: RegExp;
  /** What the text before the name ends with; anything unless given. */
  readonly before?: RegExp;
}[] = [
  // An element: `<password>X`.
  { pattern: /\s{0,2}>/y, before: /<[\w:.-]*$/ },
  // Two attributes or members: `key="password" value="X"`, `- name: PASSWORD⏎  value: X`.
  {
    pattern:
      /["']?(?:\s{0,2},)?\s{0,40}(?<=["',\s])["']?(?:value|content)["']?\s{0,2}[=:]\s{0,2}/iy,
    before: /["'\s](?:name|key|property|id)["']?\s{0,2}[=:]\s{0,2}["']?[\w.-]*$/i,
  },
  // A default: `getenv("PASSWORD", "X")`, `process.env.PASSWORD || "X"`.
  {
    pattern: /["'],\s{0,20}(?=["'])/y,
    before:
      /(?:env|environ\.get|fetch|property|item|string|\b(?:add|define|option|put|set)) ?\(\s{0,4}["'][\w.-]*$/i,
  },
  {
    pattern: /["']?\]?\s{1,2}(?:\|\||\?\?|or)\s{1,2}(?=["'])/y,
    before: /\benv(?:iron)?[.[]["']?\w*$/i,
  },
  // A setter: `setPassword("X")`, `.password("X")`.
  { pattern: /\((?=["'])/y, before: /(?:\b[sS]et|\b[wW]ith|\.)_?\w*$/ },
  // A field that is filled in: `get("#password").type("X")`.
  { pattern: /["']\)\.(?:type|fill|send_?keys|val|setValue)\((?=["'])/iy },
  // A variable of a shell: `set -x PASSWORD X`.
  {
    pattern: /[ \t]{1,8}(?=\S)/y,
    before: /(?:\b(?:ENV|ARG|setenv|setx|set -\w{1,3})|#define)[ \t]\w*$/,
  },
  // A declaration: `password: string = "X"`, `PASSWORD string = "X"`.
  {
    pattern:
      /["'\]]?[?!]?(?:[ \t]?:[ \t]{0,2}&?(?:'static )?[\w.<>[\]|? ]{1,50}?|[ \t]string|[ \t]\{ get; (?:set|init); \})[ \t]{0,2}=[ \t]{0,4}[bruf@]{0,2}(?=["'`])/y,
  },
  // Code and configuration: `PASSWORD = X`.
  {
    pattern:
      /["'`\])[]{0,2}(?:\*\*|__)?[ \t]{0,20}(?::=|=>|->|={1,3}|[:：＝])(?:\*\*|__)?[ \t]{0,8}(?:[bruf@]{1,2}(?=["']))?/y,
  },
  // A cell of a table, not a type of a union.
  { pattern: /["'`\])]{0,2}(?:\*\*|__)?[ \t]{0,20}\|[ \t]{0,8}/y, before: /\|[^\n"']*$/ },
];

/** What an item of a list begins with. */
const BULLET = String.raw`(?:(?:[-*•]|\d{1,2}[.):])[ \t]{1,3})?`;

/** What can open after an operator of code and configuration, before the value. */
const OPENINGS: readonly { readonly pattern: RegExp; readonly isFar?: boolean }[] = [
  // A block in YAML: `password: |⏎  X`.
  { pattern: /[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{0,20}/y },
  // A nested value: `"password": {"value": "X"}`.
  { pattern: /\{\s{0,20}["']?(?:value|default|plain|secret)["']?\s{0,2}[=:]\s{0,2}/iy },
  // An array of strings: `passwords = ["X", "Y"]`.
  { pattern: /\[\s{0,20}(?=["'])/y },
  // The next line, and a list in it.
  { pattern: new RegExp(String.raw`(?:\r?\n[ \t]{0,20}){1,2}${BULLET}`, "y"), isFar: true },
];

/**
 * The length of the operator behind a name at a position, whether there are no blanks in it, and whether the value is on
 * another line, and may be something else; `before` is the text up to the name.
 */
export function operatorAt(before: string, text: string, at: number) {
  for (const { pattern, before: need } of OPERATORS) {
    if (need !== undefined && !need.test(before)) continue;
    const [operator] = matchAt(pattern, text, at) ?? [];
    if (operator === undefined) continue;
    const isGlued = !/\s/.test(operator) && /[=>]/.test(operator);
    for (const { pattern, isFar = false } of OPENINGS) {
      const opening = matchAt(pattern, text, at + operator.length);
      if (opening) return { length: pattern.lastIndex - at, isGlued: false, isFar };
    }
    return { length: operator.length, isGlued, isFar: false };
  }
  return undefined;
}

/** Between two items of a list. */
export const NEXT_ITEM =
  /["']?\r?\n[ \t]{0,20}-[ \t]{1,3}|["'],\s{0,20}(?=["'])|["'`]?[ \t]{0,20}\|[ \t]{0,20}["'`]?(?=[^\s|])/y;

/** Between two of several codes. */
export const NEXT_CODE: RegExp = new RegExp(
  String
    .raw`["'\x60]?(?:[ \t]{0,4}[,;|/][ \t]{0,8}|[ \t]\p{L}{1,3}(?=[ \t])|(?=\s))\s{0,20}${BULLET}["'\x60]?`,
  "yu",
);
