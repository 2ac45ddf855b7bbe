import assert from "node:assert/strict";
import { isAllRedacted, redact } from "../../src/core/redact/redact.ts";
import { chars } from "./planted.ts";

const PASSWORD = "Tr0ub4dor" + "&3x";
const TOKEN = "ghp_" + chars(36);

const ROWS: readonly (readonly [text: string, isAll: boolean])[] = [
  [TOKEN, true],
  [`the password is ${PASSWORD} and the token ${TOKEN}`, true],
  [`Password: ${PASSWORD}`, true],
  [`la contraseña es ${PASSWORD}`, true],
  [`mon mot de passe, c'est ${PASSWORD}`, true],
  [`das Passwort lautet ${PASSWORD}`, true],
  [`密码是${PASSWORD}`, true],
  [`the password of the staging database is ${PASSWORD}`, false],
  [`CI reads ${TOKEN} from the vault`, false],
  [`数据库的密码是${PASSWORD}，每月更换`, false],
  ["the password is in the vault", false],
  ["the password is secret", false],
];
for (const [text, isAll] of ROWS) {
  const what = isAll ? "nothing" : "something";
  Deno.test(`without its secrets “${text.slice(0, 16)}…” says ${what}`, async () => {
    assert.equal(isAllRedacted((await redact(text)).text), isAll);
  });
}
