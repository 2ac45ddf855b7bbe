/** Test files that only `deno task ok` runs, and why they are not among those that every change is tried with. */
interface OkAlone {
  /** A file, or a folder with a `/` at its end. */
  readonly at: string;
  readonly because: string;
}

/** What `deno task ok` adds to `deno task test`, which runs every other file. */
export const OK_ALONE: readonly OkAlone[] = [
  {
    at: "test/client/",
    because:
      "sessions of the real Claude Code, of other versions too; `test/client_test.ts` has one",
  },
  { at: "test/release/", because: "archives and installers: what a release is made of" },
  { at: "test/tools/", because: "what builds, converts and measures memo, and not memo" },
  { at: "test/support/", because: "what tests are made with" },
  {
    at: "test/bench/holds_test.ts",
    because: "measures; `test/recall/current_test.ts` has the rules",
  },
  { at: "test/bench/hook_test.ts", because: "measures" },
  { at: "test/bench/trec_test.ts", because: "measures" },
  {
    at: "test/poison_test.ts",
    because: "measures texts by all doors; `test/capture/provenance_test.ts` has pages",
  },
  { at: "test/reliability/fuzz_test.ts", because: "random commands, for as long as they may take" },
  { at: "test/reliability/kills_test.ts", because: "kills at random moments, round after round" },
  { at: "test/reliability/matrix_test.ts", because: "every event in every bad state" },
  { at: "test/reliability/parsers_test.ts", because: "random bytes" },
  { at: "test/team/fuzz_test.ts", because: "random steps of many people" },
  { at: "test/native/telemetry_test.ts", because: "whole lives of processes under a tracer" },
  { at: "test/newcomer_test.ts", because: "type checks copies of the project" },
  { at: "test/walks_test.ts", because: "a newcomer's first hour on a terminal" },
];

/** Whether only `deno task ok` runs a test file. */
export function isOfOkAlone(path: string): boolean {
  return OK_ALONE.some(({ at }) => at.endsWith("/") ? path.startsWith(at) : path === at);
}
