// `install.ps1` as far as its text shows: on Windows the release's workflow parses it, and installs and uninstalls with it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const SCRIPT = readFileSync(new URL("../../install.ps1", import.meta.url), "utf8");

/** The commands of Windows PowerShell 5.1 that the script may call. */
const COMMANDS = (
  "Expand-Archive Get-ChildItem Get-Content Get-FileHash Invoke-WebRequest Join-Path " +
  "Move-Item New-Item Out-Null Remove-Item Test-Path Where-Object Write-Output"
).split(" ");

/** The script without comments and single-quoted texts. */
const code = SCRIPT.replace(/^#.*$|'[^']*'| # .*$/gm, "");

Deno.test("install.ps1 calls what Windows PowerShell 5.1 has, and each of its own functions", () => {
  const own = [...code.matchAll(/^function ([\w-]+)/gm)].map(([, name]) => name!);
  const called = [...code.matchAll(/(?<!function )(?<![\w$-])[A-Z][a-z]+-[A-Z]\w+/g)]
    .map(([name]) => name);
  assert.deepEqual(called.filter((name) => ![...COMMANDS, ...own].includes(name)), []);
  assert.deepEqual(own.filter((name) => !called.includes(name)), [], "no function for nothing");
  assert.ok(called.includes("Get-FileHash"), "the download's sum is checked");
  assert.ok(own.length > 3 && called.length > 20);
});

Deno.test("install.ps1 closes what it opens, and is ASCII, which every Windows reads alike", () => {
  for (const [open, close] of ["{}", "()", "[]"] as const) {
    assert.equal(code.split(open!).length, code.split(close!).length, `${open}${close}`);
  }
  assert.doesNotMatch(SCRIPT, /[^\s -~]/);
});
