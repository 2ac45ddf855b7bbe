// `install.ps1` by its structure: there is no PowerShell to run it with but on Windows, where the release's workflow does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";

const SCRIPT = readFileSync(new URL("../../install.ps1", import.meta.url), "utf8");
const GRAMMAR = createRequire(import.meta.url)
  .resolve("tree-sitter-powershell/tree-sitter-powershell.wasm");

/** The commands of Windows PowerShell 5.1 that the script may use, and the parameters of each. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "Expand-Archive": ["-Path", "-DestinationPath"],
  "Get-ChildItem": ["-Force"],
  "Get-Content": [],
  "Get-FileHash": ["-Algorithm"],
  "Invoke-WebRequest": ["-UseBasicParsing", "-Uri", "-OutFile"],
  "Join-Path": [],
  "Move-Item": ["-Force"],
  "New-Item": ["-ItemType", "-Force", "-Path"],
  "Out-Null": [],
  "Remove-Item": ["-Recurse", "-Force", "-ErrorAction"],
  "Test-Path": [],
  "Where-Object": [],
  "Write-Output": [],
};

async function parse(script: string): Promise<Node> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(GRAMMAR));
  return parser.parse(script)!.rootNode;
}

Deno.test("install.ps1 is PowerShell, and would not be with a brace less", async () => {
  assert.equal((await parse(SCRIPT)).hasError, false);
  assert.equal((await parse(SCRIPT.replace(/\}\s*$/, ""))).hasError, true);
  assert.doesNotMatch(SCRIPT, /[^\s -~]/, "Windows PowerShell takes other characters as it likes");
});

Deno.test("install.ps1 calls what Windows PowerShell 5.1 has, and its own functions", async () => {
  const root = await parse(SCRIPT);
  const own = root.descendantsOfType("function_name").map((name) => name!.text);
  for (const command of root.descendantsOfType("command")) {
    const name = command!.childForFieldName("command_name")?.text ?? "";
    if (/^"?\$/.test(name) || own.includes(name)) continue; // memo itself
    const known = COMMANDS[name];
    assert.ok(known, `${name} in ${command!.text}`);
    const given = command!.descendantsOfType("command_parameter")
      .filter((parameter) => parameter!.parent!.parent!.id === command!.id)
      .map((parameter) => parameter!.text);
    assert.deepEqual(given.filter((parameter) => !known.includes(parameter)), [], command!.text);
  }
  const called = root.descendantsOfType("command_name").map((node) => node!.text);
  assert.deepEqual(own.filter((name) => !called.includes(name)), [], "no function for nothing");
  assert.ok(called.includes("Get-FileHash"), "the download's sum is looked at");
});

Deno.test("install.ps1 reads no variable that nothing has set", async () => {
  const root = await parse(SCRIPT);
  const names = root.descendantsOfType("variable").map((node) => node!);
  const read = names.map(({ text }) => text.replace(/^@/, "$")); // `@options` spreads `$options`
  const set = new Set(["$_", "$true", "$false", "$null", "$LASTEXITCODE"]);
  const isSet = (node: Node) => {
    for (let at: Node | null = node; at !== null; at = at.parent) {
      if (/^(script_parameter|left_assignment_expression)$/.test(at.type)) return true;
    }
    return false;
  };
  for (const node of names.filter(isSet)) set.add(node.text);
  const unset = read.filter((name) => !set.has(name) && !/^\$env:/i.test(name));
  assert.deepEqual([...new Set(unset)], []);
  assert.ok(names.length > 40);
});
