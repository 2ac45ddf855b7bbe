import assert from "node:assert/strict";
import { type Considered, formatNothing, reasonOf } from "../../src/core/recall/reason.ts";

const REASONS: readonly (readonly [Considered, before: string | undefined, string])[] = [
  [{ strategy: "hybrid" }, undefined, "fits by words and meaning"],
  [{ strategy: "hybrid" }, "which port?", "by the turn before: “which port?”"],
  [{ strategy: "keyword" }, undefined, "fits by words"],
  [
    { strategy: "hybrid", form: "title" },
    undefined,
    "fits by words and meaning; likely, not sure: title only",
  ],
  [
    { strategy: "keyword", form: "title" },
    "which port?",
    "by the turn before: “which port?”; likely, not sure: title only",
  ],
  [
    { strategy: "hybrid", form: "line" },
    undefined,
    "fits by words and meaning; its title, to look up",
  ],
  [{ strategy: "trigger" }, "which port?", "called by its name or trigger"],
  [{ strategy: "./mine.ts" }, undefined, "by ./mine.ts"],
  [{}, undefined, "given"],
  [
    { strategy: "hybrid", because: "not for such prompts" },
    "which port?",
    "kept away by `never`",
  ],
  [{ strategy: "hybrid", because: "overtaken" }, undefined, "overtaken by a later one"],
  [{ strategy: "hybrid", because: "overtaken", by: "Port" }, undefined, "overtaken by “Port”"],
];

for (const [considered, before, reason] of REASONS) {
  Deno.test(`reasonOf() ${JSON.stringify(considered)} after ${before} is ${reason}`, () => {
    assert.equal(reasonOf(considered, before), reason);
  });
}

Deno.test("that nothing comes is said with what is nearest, what it needs and where its title is", () => {
  const nearest = { title: "“Use pnpm”", score: 0.263, threshold: 0.35, isAtStart: true };
  const below = { ...nearest, because: "below threshold" };
  const outcome = "below threshold";
  for (
    const [nothing, text] of [
      [
        { outcome, nearest: below },
        ". Nearest: “Use pnpm” 0.26, needs 0.35; its title is in every session's start.",
      ],
      [
        { outcome, nearest: { ...below, isAtStart: false } },
        ". Nearest: “Use pnpm” 0.26, needs 0.35.",
      ],
      [
        {
          outcome: "withheld",
          nearest: { ...nearest, because: "not for such prompts", isAtStart: false },
        },
        ". Nearest: “Use pnpm” 0.26, kept away by `never`.",
      ],
      [{ outcome: "gated", why: "too short" }, ": too short"],
      [{ outcome: "no hit", why: "no model" }, ": no hit"],
    ] as const
  ) assert.equal(formatNothing(nothing), `Nothing with this prompt${text}`);
});
