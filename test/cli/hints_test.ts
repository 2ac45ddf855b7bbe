// Every command that memo or its documents tell people to run is one that memo understands.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { contextIn } from "../../src/surfaces/cli/shared/command.ts";
import { buildProgram } from "../../src/surfaces/cli/mod.ts";
import { SPOKEN } from "../../src/core/events/event.ts";
import { splitCommand } from "../../src/surfaces/cli/shared/editor.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTEXT = contextIn({ HOME: "/nowhere" }, "/nowhere");

/** Words that stand for a value of the reader's. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/--agent (?:\$\{[^{}]*\}|NAME)/g, "--agent codex"], // one of a few
  [/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "X"],
  [/\b(NUMBER|N|K)\b/g, "1"],
  [/\s*[<|>].*$/, ""], // redirections and pipes
];

interface Quoted {
  readonly place: string;
  readonly command: string;
}

/** What stands in backticks and begins with `memo `, in messages of the sources and in documents. */
function quotedCommands(): Quoted[] {
  const sources = ["src", "bench", "strategies", "hooks"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts")).map((name) => join(folder, name))
  );
  const documents = ["", "docs", "bench", "plugin"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: folder === "plugin", encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md")
      .map((name) => join(folder, name))
  );
  return [
    ...sources.flatMap((place) => messagesOf(place).flatMap((text) => commandsIn(text, place))),
    ...documents.flatMap((place) => commandsIn(readFileSync(join(ROOT, place), "utf8"), place)),
  ];
}

/** A source without its comments. */
function codeOf(place: string): string {
  return readFileSync(join(ROOT, place), "utf8").replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "");
}

/** Its string literals, and the lines for the person; backticks in template literals are escaped. */
function messagesOf(place: string): string[] {
  const code = codeOf(place);
  const quoted = [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g)].map(([text]) =>
    text
  );
  const escaped = [...code.matchAll(/\\`memo [^`\n]+?\\`/g)].map(([text]) =>
    text.replaceAll("\\`", "`")
  );
  const lines = [...code.matchAll(/· memo [^`"'\n]+/g)].map(([text]) => text);
  return [...quoted, ...escaped, ...lines];
}

/** What Claude Code runs before there is a command line, what is typed as a prompt, what the status line says. */
const NO_COMMANDS = new RegExp(
  `^memo (hook|contributors|${SPOKEN.join("|")}|paused|not saving.*)$`,
);

/** What stands in backticks; and bare at the end of a line for the person (`· memo trust`), or as a whole string (`"memo undo"`). */
const COMMAND =
  /`(memo [a-z$][^`\n]*)`|(?:· |^["'])(memo [a-z]+(?: [A-Z]+| --?[a-z]+)*)(?=["'`]|$)/g;

function commandsIn(text: string, place: string): Quoted[] {
  return [...text.matchAll(COMMAND)]
    .map(([, ...found]) => ({ place, command: found.find((each) => each !== undefined)! }))
    .filter(({ command }) => !NO_COMMANDS.test(command));
}

/** The words of a command, values filled in; undefined where the text is no command but a manner of speaking. */
function wordsOf(command: string): string[] | undefined {
  const filled = PLACEHOLDERS.reduce((text, [from, to]) => text.replace(from, to), command);
  if (/…|\.\.\.$/.test(filled)) return undefined;
  return splitCommand(filled.replace(/\\"/g, '"').trim()).slice(1);
}

/** What is wrong with a command line; undefined when memo would run it. */
function problemWith(words: readonly string[], program: Command): string | undefined {
  let command = program;
  let rest = [...words];
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest = rest.slice(1);
  }
  if (rest[0] === "--help" || rest[0] === "--version") return undefined;
  if (command === program) return `no command \`${rest[0]}\``;
  try {
    const { operands, unknown } = command.parseOptions(rest);
    if (unknown.length > 0) return `unknown ${unknown.join(" ")}`;
    const max = command.registeredArguments.at(-1)?.variadic
      ? Infinity
      : command.registeredArguments.length;
    return operands.length > max ? `too many arguments: ${operands.join(" ")}` : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("every command in a message, a hint or a document parses", async () => {
  const found = quotedCommands();
  assert.ok(found.length > 100, `${found.length} commands were found`);
  const wrong: string[] = [];
  for (const { place, command } of found) {
    const words = wordsOf(command);
    if (words === undefined) continue;
    const problem = problemWith(words, await buildProgram(CONTEXT, "*"));
    if (problem !== undefined) wrong.push(`${place}: ${command}: ${problem}`);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("a command of the plugin is one that it has, and is named only where the plugin is there", () => {
  const has = readdirSync(join(ROOT, "plugin/commands")).map((name) => basename(name, ".md"));
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts")).map((name) => join("src", name));
  const named = [...sources, "docs/session.md", "plugin/README.md"].flatMap((place) =>
    (place.endsWith(".ts") ? codeOf(place) : readFileSync(join(ROOT, place), "utf8"))
      .match(/(?<!<!-- |\\)\/memo:[a-z]+/g)?.map((command) => ({ place, command })) ?? []
  );
  assert.ok(named.length > 4);
  assert.deepEqual(named.filter(({ command }) => !has.includes(command.slice(6))), []);
  const messages = named.filter(({ place }) => place.startsWith("src/"));
  assert.deepEqual(
    new Set(messages.map(({ place }) => place)),
    new Set(["src/surfaces/cli/init/install.ts"]),
  );
});

Deno.test("a hint that is a command says so: no hint is a bare command line", () => {
  const bare = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) =>
      readFileSync(join(ROOT, "src", name), "utf8").split("\n")
        .filter((line) => /\bhint: ["`']memo /.test(line)).map((line) => `${name}: ${line.trim()}`)
    );
  assert.deepEqual(bare, []);
});
