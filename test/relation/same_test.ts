import assert from "node:assert/strict";
import { relate } from "../../src/core/relation/relate.ts";
import { valuesIn } from "../../src/core/text/content_terms.ts";
import { titleOf } from "../../src/core/memory/title.ts";
import { TWO } from "../support/two_memories.ts";

type Text = Parameters<typeof relate>[0];

/** A memory as `memo add` makes it of a text. */
function said(body: string) {
  return { name: titleOf(body).name, description: "", body };
}

/** Whether a memory says nothing beyond another. */
function isSubsumedBy(one: Text, other: Text): boolean {
  return relate(other, one).answer === "same";
}

function saysSame(one: string, other: string): boolean {
  return isSubsumedBy(said(one), said(other)) || isSubsumedBy(said(other), said(one));
}

const ONE: readonly (readonly [string, string])[] = [
  ["Use pnpm, never npm, to install packages", "use pnpm never npm to install packages!"],
  ["Use pnpm, never npm, to install packages", "To install packages, use pnpm, never npm."],
  ["Use pnpm, not npm", "use `pnpm`, never `npm`"],
  ["Use pnpm instead of npm", "Use pnpm, not npm."],
  ["Never push to the main branch", "Don't push to the main branch"],
  ["Do not push to the main branch", "Please never push to main branch."],
  ["Always use docstrings in functions", "Use docstrings in functions"],
  ["Make sure to use docstrings in functions", "Always use docstrings in functions!"],
  ["Deploy on Fridays", "On Fridays, deploy"],
  ["When CI is red, do not merge", "Never merge when CI is red"],
  ["Uploads are limited to 10MB", "Uploads are limited to 10 MB."],
  ["The staging database listens on port 5433", "**Staging database listens on port 5433**"],
  ["Always end method names with '_x'", "Always end method names with `_x`."],
  [
    "Always add the '@trace' decorator to all functions",
    "always add the `@trace` decorator to all functions",
  ],
  ["No, use pnpm", "Use pnpm"],
  ["Use *pnpm* here", "Use **pnpm** here"],
  ["Use pnpm - never npm", "Use pnpm, never npm"],
  ["We use squash merges", "Use squash merges"],
  ["You must always run the linter", "run the linter"],
  ["Logs are in `/var/log/app`", "Logs are in /var/log/app"],
  ["The API is not versioned", "The API isn't versioned."],
  ["- Ask Ada about billing", "Ask Ada about billing"],
  ["Remember to rotate the keys in May", "Rotate the keys in May"],
  ["Retries are never logged", "Retries are not logged"],
  ["Use “snake_case” for class names", "Use snake_case for class names"],
  ["Nie direkt auf main pushen", "nicht direkt auf main pushen!"],
  ["Bitte immer die Tests laufen lassen", "Die Tests laufen lassen"],
  ["Wenn die CI rot ist, nicht mergen", "Nicht mergen, wenn die CI rot ist"],
  ["Für Pakete pnpm statt npm nehmen", "Für Pakete pnpm, nie npm nehmen"],
  ["Nunca subas directamente a main", "No subas directamente a main"],
  ["Para instalar paquetes, usa pnpm", "Usa pnpm para instalar paquetes"],
  ["Por favor, usa siempre los tests de integración", "usa los tests de integración"],
  ["Usa pnpm en vez de npm", "Usa pnpm, no npm"],
  ["Los informes van a la carpeta `salida`", "los informes van a la carpeta salida."],
  ["不要直接推送到主分支", "请勿直接推送到主分支。"],
  ["部署之前请运行测试", "部署之前运行测试！"],
  ["始终使用 pnpm，不要使用 npm", "使用 pnpm，绝不使用 npm"],
  ["数据库的端口是5433", "数据库端口是 5433"],
  ["使用 `pnpm` 安装依赖", "使用pnpm安装依赖"],
];

for (const [kind, pairs] of Object.entries(TWO)) {
  Deno.test(`texts that differ in their ${kind} are two`, () => {
    for (const [one, other] of pairs) {
      assert.equal(saysSame(one, other), false, `${one} / ${other}`);
    }
  });
}

Deno.test("a text that is only worded differently says the same", () => {
  assert.deepEqual(ONE.filter(([one, other]) => !saysSame(one, other)), []);
});

Deno.test("a text with more sentences has what the shorter one says, unless they limit it", () => {
  const long = said("Use pnpm, never npm. npm made a second lockfile.");
  assert.ok(isSubsumedBy(said("Use pnpm, never npm"), long));
  assert.equal(isSubsumedBy(long, said("Use pnpm, never npm")), false);
  for (const limit of ["Only in tests.", "Except for the docs.", "When CI asks for it."]) {
    assert.equal(isSubsumedBy(said("Use mocks"), said(`Use mocks. ${limit}`)), false, limit);
  }
});

Deno.test("another name, or a description with another value, is another memory", () => {
  const rule = { name: "Worker A", description: "", body: "Never restart it." };
  assert.equal(
    isSubsumedBy({ ...rule, name: "Worker B" }, rule),
    false,
  );
  const [staging, production] = ["5433", "6543"].map((port) => ({
    ...rule,
    description: `The one on port ${port}`,
  }));
  assert.equal(isSubsumedBy(staging!, production!), false);
});

Deno.test("a long word takes about as long as many short ones of the same length", () => {
  const timed = (text: string) => {
    const started = performance.now();
    valuesIn(text);
    return performance.now() - started;
  };
  const short = timed(("x".repeat(99) + " ").repeat(1000));
  const long = timed("x".repeat(100_000));
  assert.ok(long < 100 * Math.max(short, 1), `${long} ms, in short words ${short} ms`);
});
