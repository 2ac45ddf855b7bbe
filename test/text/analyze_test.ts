import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze, identifiersIn, queryTerms } from "../../src/core/text/analyze.ts";

Deno.test("analyze() folds case and diacritics, also where they are separate characters", () => {
  assert.deepEqual(analyze("Configuración CAFE\u0301"), ["configuracion", "cafe"]);
});

Deno.test("analyze() gives identifiers whole and in their parts", () => {
  assert.deepEqual(analyze("getUserById"), ["getuserbyid", "get", "user", "by", "id"]);
  assert.deepEqual(analyze("PGBOUNCER_URL"), ["pgbouncerurl", "pgbouncer", "url"]);
  assert.deepEqual(analyze("node.js"), ["nodej", "node", "js"]);
  assert.deepEqual(analyze("HTTPServer"), ["httpserver", "http", "server"]);
});

Deno.test("analyze() cuts Chinese, Japanese and Korean into pairs, next to Latin words", () => {
  assert.deepEqual(analyze("数据库 のテスト"), ["数据", "据库", "のテ", "テス", "スト"]);
  assert.deepEqual(analyze("用Docker部署"), ["用", "docker", "部署"]);
  assert.deepEqual(analyze("데이터"), ["데이", "이터"]);
});

Deno.test("analyze() takes endings off", () => {
  assert.deepEqual(analyze("Running migrations"), ["run", "migration"]);
});

Deno.test("analyze() keeps the marks of scripts that need them", () => {
  assert.deepEqual(analyze("हिन्दी"), ["हिन्दी"]);
});

Deno.test("analyze() leaves out blobs nobody types", () => {
  assert.deepEqual(analyze("x".repeat(41)), []);
});

Deno.test("analyze() of any text gives terms that FTS5 keeps as they are", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    for (const term of analyze(text)) assert.match(term, /^[\p{L}\p{N}\p{M}ー々]+$/u);
  }));
});

Deno.test("queryTerms() names each term once", () => {
  assert.deepEqual(queryTerms("test the test"), ["test", "the"]);
});

Deno.test("identifiersIn() takes what is not an ordinary word", () => {
  const text =
    "Why does getUserById throw E1042 with PGBOUNCER_URL set in docker-compose since 2024, e.g. now";
  assert.deepEqual([...identifiersIn(text)], ["getuserbyid", "e1042", "pgbouncerurl"]);
});
