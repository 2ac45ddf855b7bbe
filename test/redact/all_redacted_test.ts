import assert from "node:assert/strict";
import { isAllRedacted, redact } from "../../src/core/redact/redact.ts";
import { chars } from "./planted.ts";

const PASSWORD = "Tr0ub4dor" + "&3x";
const TOKEN = "ghp_" + chars(36);

for (
  const text of [
    TOKEN,
    `the password is ${PASSWORD} and the token ${TOKEN}`,
    `Password: ${PASSWORD}`,
    `la contraseña es ${PASSWORD}`,
    `mon mot de passe, c'est ${PASSWORD}`,
    `das Passwort lautet ${PASSWORD}`,
    `密码是${PASSWORD}`,
  ]
) {
  Deno.test(`of a text like “${text.slice(0, 16)}…” nothing is left without its secrets`, async () => {
    const left = (await redact(text)).text;
    assert.notEqual(left, text);
    assert.ok(isAllRedacted(left), left);
  });
}

for (
  const text of [
    `the password of the staging database is ${PASSWORD}`,
    `CI reads ${TOKEN} from the vault`,
    `数据库的密码是${PASSWORD}，每月更换`,
    "the password is in the vault",
    "the password is secret",
  ]
) {
  Deno.test(`“${text.replace(TOKEN, "a token")}” says something without its secrets`, async () => {
    assert.ok(!isAllRedacted((await redact(text)).text));
  });
}
