/**
 * Names how texts become index terms: `analyze`, the stemmer, the glossary and the reading of memory files. An index
 * with another name is read again from the files. `test/index/analysis_test.ts` computes it and says when it is stale.
 */
export const ANALYSIS = "e068cc75fe46";
