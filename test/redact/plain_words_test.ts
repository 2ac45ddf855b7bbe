import assert from "node:assert/strict";
import { plainWords } from "../../src/core/redact/mod.ts";

Deno.test("plain words end before what is more than letters, and a text about secrets has none", () => {
  assert.equal(plainWords("deploy the shop with build4 now"), "deploy the shop with …");
  for (
    const text of ["le mdp c'est mariposa", "the pw is swordfish", "mi contraseña es mariposa"]
  ) {
    assert.equal(plainWords(text), "");
  }
});
