// The built-in model beside its weights in one file, from which its vectors have their name: indexes made with that are
// used as they are.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRecord, UNSIGNED, WEIGHTS, WORDS } from "../../src/core/embed/files.ts";
import { loadModel } from "../../src/core/embed/local.ts";
import type { Role } from "../../src/core/embed/mod.ts";
import { BUILTIN_MODEL } from "../../src/core/embed/models.ts";
import { openPackage } from "../../tools/model/packages.ts";
import { SOURCES } from "../../tools/model/sources.ts";
import { temporaryFolder } from "../support/temp.ts";

const MODEL = fileURLToPath(new URL("../../dist/model", import.meta.url));
const [E5_SOURCE] = SOURCES;
const record = readRecord(MODEL);

const TEXTS = [
  "",
  "How do I run the tests?",
  "¿Cómo autentico contra el servicio de facturación?",
  "Niemals direkt auf den Hauptzweig pushen; 12 % der Läufe scheitern sonst",
  "測試資料庫在 5433 埠，需要 VPN",
  "リリースの前に必ずテストを実行してください",
  "Никогда не коммить секреты",
  "اختبار الاتصال بقاعدة البيانات",
  "배포하기 전에 캐시를 지우세요 🙂",
  "const at = start + token * rowBytes; // ½ ﬁ ①",
  "many words of a long specification ".repeat(90),
];

Deno.test({
  name:
    "the built-in model gives, by either graph, the vectors of its weights in one file, to the last bit",
  ignore: record.repo !== E5_SOURCE.model, // MiniLM is built in, and is one file
  async fn() {
    using folder = temporaryFolder();
    const { files, whole } = E5_SOURCE.convert(openPackage(E5_SOURCE.package));
    assert.equal(createHash("sha256").update(whole).digest("hex"), record.weights);
    const [weights] = WEIGHTS;
    for (const path of ["config.json", "unigram.bin", WORDS.rows]) {
      assert.ok(readFileSync(join(MODEL, path)).equals(Buffer.from(files[path]!)), path);
    }
    /** The model with one graph alone, whichever of them this processor would take. */
    const withGraph = (name: string, graph: Uint8Array) => {
      const to = join(folder.path, name);
      cpSync(MODEL, to, { recursive: true });
      rmSync(join(to, UNSIGNED.path));
      writeFileSync(join(to, weights.path), graph);
      return to;
    };
    const one = withGraph("one", whole);
    rmSync(join(one, WORDS.place));
    const expected = await vectorsOf(one);
    assert.notDeepEqual(expected[1], expected[2]);
    for (const { path } of [weights, UNSIGNED]) {
      const graph = readFileSync(join(MODEL, path));
      assert.deepEqual(await vectorsOf(withGraph("several", graph)), expected, path);
    }
    assert.deepEqual(await vectorsOf(MODEL), expected);
  },
});

/** The vectors of the texts in both roles. */
async function vectorsOf(folder: string): Promise<Float32Array[]> {
  const embedder = await loadModel(folder, BUILTIN_MODEL[E5_SOURCE.model], {
    id: "e5",
    weights: WEIGHTS[0],
  });
  const vectors: Float32Array[] = [];
  for (const role of ["query", "passage"] satisfies Role[]) {
    for (const text of TEXTS) vectors.push(await embedder.embed(text, role));
  }
  await embedder.close();
  return vectors;
}
