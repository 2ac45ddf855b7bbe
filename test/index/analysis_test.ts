import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ANALYSIS } from "../../src/core/index/database.ts";
import { parseMemory } from "../../src/core/memory/file.ts";
import { analyze } from "../../src/core/text/analyze.ts";
import { inEnglish } from "../../src/core/text/language/english.ts";
import GLOSSARY from "../../src/core/text/language/glossary.txt" with { type: "text" };

/** Texts that meet every rule of cutting, folding and stemming. */
const PROBE = `
getUserById HTTPServer node.js snake_case kebab-case v1.2.3 E1042 PGBOUNCER_URL ünïcödé naïve Straße
deploying deployed deploys libraries library stories running runner boxes classes analyses children's
Despliega la aplicación en producción cuando pasen las pruebas. Los errores de conexión a la base de datos.
Implante a aplicação em produção. Déployez l'application après les tests. Stelle die Anwendung bereit.
Distribuisci l'applicazione. Разверните приложение после тестов. 部署应用程序到生产环境 アプリをデプロイする
배포하기 전에 테스트를 실행하세요 ${"x".repeat(50)}
`;
const FILES = [
  "---\nname: A\ndescription: b: c\ntype: tool\ntags: a, b\n---\n\nText.\n",
  "---\nname: [\n---\nText.\n",
  "No front matter.\n",
];

function fingerprint(): string {
  const lines = [...PROBE.split("\n"), ...GLOSSARY.replaceAll("*", "").split("\n")];
  const seen = {
    glossary: GLOSSARY,
    terms: lines.map(analyze),
    english: lines.map((line) => inEnglish(line.slice(line.indexOf(":") + 1))?.words),
    files: FILES.map((text) => parseMemory(text, { fallbackName: "f" })),
  };
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 12);
}

Deno.test("ANALYSIS names the analyser as it is (else: set it to what is found here)", () => {
  assert.equal(ANALYSIS, fingerprint());
});
