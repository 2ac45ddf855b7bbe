import assert from "node:assert/strict";
import { Query } from "../../../src/core/index/query.ts";

Deno.test("a function word that is written as a call is a name", () => {
  const isName = (text: string, word: string) => !new Query(text).isFunctionWord(word);
  assert.ok(isName("use :has() for the card", "has"));
  assert.ok(isName("chain .not(active) on it", "not"));
  assert.ok(isName("what does all() return", "all"));
  assert.ok(!isName("it has (as before) no parent", "has"));
  assert.ok(!isName("if(x) then what", "if"));
});
