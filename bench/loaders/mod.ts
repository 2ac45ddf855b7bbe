import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { MemoError } from "../../src/errors.ts";
import { loadSuite, type Suite } from "../suite.ts";
import { loadBeir } from "./beir.ts";
import { loadLocomo } from "./locomo.ts";
import { loadLongMemEval } from "./longmemeval.ts";

/** A format of test collections. */
interface Loader {
  readonly kind: string;
  /** A description for the error that lists all forms. */
  readonly looksLike: string;
  recognises(path: string): boolean;
  load(path: string): Suite;
}

/** Every format of `--suite`; the first that recognises a path reads it. */
export const LOADERS: readonly Loader[] = [
  {
    kind: "memo",
    looksLike: "a folder with corpus.jsonl, queries.jsonl and qrels.jsonl",
    recognises: (path) => existsSync(join(path, "qrels.jsonl")),
    load: loadSuite,
  },
  {
    kind: "beir",
    looksLike: "a BEIR folder with corpus.jsonl, queries.jsonl and qrels/test.tsv",
    recognises: (path) => existsSync(join(path, "qrels", "test.tsv")),
    load: loadBeir,
  },
  {
    kind: "locomo",
    looksLike: "LoCoMo's locomo10.json",
    recognises: (path) => /^locomo.*\.json$/.test(basename(path)),
    load: loadLocomo,
  },
  {
    kind: "longmemeval",
    looksLike: "LongMemEval's longmemeval_s*.json",
    recognises: (path) => /^longmemeval.*\.json$/.test(basename(path)),
    load: loadLongMemEval,
  },
];

/** Reads the suite at a path, in any known format; throws a MemoError for any other. */
export function openSuite(path: string) {
  if (!existsSync(path)) {
    throw new MemoError("not-found", `Cannot read the suite at \`${path}\`: it does not exist`, {
      hint: "Run `memo bench recall --suite ./FOLDER`",
    });
  }
  const loader = LOADERS.find((row) => row.recognises(path));
  if (loader === undefined) {
    throw new MemoError(
      "usage",
      `Cannot read the suite at \`${path}\`: expected ${
        LOADERS.map((row) => row.looksLike).join(", or ")
      }`,
      { hint: "Run `memo bench recall --suite ./FOLDER`" },
    );
  }
  return {
    name: basename(path).replace(/\.json$/, ""),
    kind: loader.kind,
    suite: loader.load(path),
  };
}

/** The suites in a folder of suites, by name. */
export function suitesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).sort().filter((name) =>
    LOADERS.some((row) => row.recognises(join(folder, name)))
  );
}
