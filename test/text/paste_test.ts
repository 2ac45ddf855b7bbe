import assert from "node:assert/strict";
import { MAX_PROMPT } from "../../src/core/link/protocol.ts";
import { awayFromCut, cutPaste, isCut } from "../../src/core/text/paste.ts";

const LOG = "2026-11-21 07:00:00 INFO worker-7 finished job 55433 in 7 ms\n".repeat(20_000);

Deno.test("cutPaste() keeps head and tail of a long prompt, and any other as it is", () => {
  const prompt = `Look at this:\n${LOG}\nWhy does worker-7 stop?`;
  const cut = cutPaste(prompt);
  assert.equal(cut.length, MAX_PROMPT);
  assert.ok(isCut(cut));
  assert.match(cut, /^Look at this:[^]*Why does worker-7 stop\?$/);
  assert.equal(cutPaste(cut), cut);
  assert.equal(cutPaste("Why does it stop?"), "Why does it stop?");
});

Deno.test("cutPaste() splits no character", () => {
  for (const offset of ["", "a"]) {
    assert.ok(cutPaste(offset + "😀".repeat(MAX_PROMPT)).isWellFormed());
  }
});

Deno.test("cutPaste() leaves out what is private, wherever its tags are", () => {
  const prompt = `${LOG}<private>${LOG}the door code is 4711</private>\nHow do I get in?`;
  assert.doesNotMatch(cutPaste(prompt), /4711/);
  assert.match(cutPaste(prompt), /How do I get in\?$/);
});

Deno.test("awayFromCut() drops what may be half a secret", () => {
  const cut = cutPaste(
    `HEAD ${"x".repeat(MAX_PROMPT / 2 - 105)}${"secret ".repeat(50)}${LOG} TAIL`,
  );
  assert.match(cut, /secret/);
  assert.match(awayFromCut(cut), /^HEAD[^]*TAIL$/);
  assert.doesNotMatch(awayFromCut(cut), /secret/);
});
