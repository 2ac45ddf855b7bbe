import { MemoError } from "../../src/errors.ts";
import type { Suite, SuiteQuery } from "../../bench/suite.ts";

/** Which queries of a suite are asked. */
export interface Selection {
  readonly split?: string | undefined;
  readonly category?: string | undefined;
  /** At most this many. */
  readonly limit?: number | undefined;
}

/**
 * The suite with the chosen queries alone. Documents that none of them could reach, being in other
 * scopes, are left out. Throws a MemoError when no query is left.
 */
export function select(suite: Suite, selection: Selection): Suite {
  const queries = suite.queries.filter((query) =>
    (selection.split === undefined || query.split === selection.split) &&
    (selection.category === undefined || query.category === selection.category)
  ).slice(0, selection.limit);
  if (queries.length === 0) throw nothingLeft(suite, selection);
  const scopes = new Set(queries.map((query) => query.scope));
  const documents = scopes.has(undefined)
    ? suite.documents
    : suite.documents.filter((document) => scopes.has(document.scope));
  return { ...suite, queries, documents };
}

function nothingLeft(suite: Suite, { split, category }: Selection): MemoError {
  const values = (of: (query: SuiteQuery) => string | undefined) =>
    [...new Set(suite.queries.map(of))].filter((value) => value !== undefined).join(", ") || "none";
  const asked = [split && `split \`${split}\``, category && `category \`${category}\``]
    .filter(Boolean).join(" and ") || "this suite";
  return new MemoError("usage", `No queries of ${asked}`, {
    hint: `Splits: ${values((query) => query.split)}; categories: ${
      values((query) => query.category)
    }`,
  });
}
