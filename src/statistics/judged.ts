import { readJudgements, type Verdict } from "../capture/verdicts.ts";
import type { Receipt, ReceiptMemory } from "../recall/receipts.ts";

/** A receipt, with what its turn did with the rules in it. */
export type JudgedReceipt = Omit<Receipt, "memories"> & {
  readonly memories: readonly (ReceiptMemory & { readonly verdict?: Verdict })[];
};

/** Receipts with the verdicts in `obedience`, the file of judgements. */
export function withVerdicts(receipts: readonly Receipt[], obedience: string): JudgedReceipt[] {
  const verdicts = new Map(
    readJudgements(obedience).flatMap(({ path, turns }) =>
      turns.map(({ prompt, verdict }) => [`${prompt} ${path}`, verdict] as const)
    ),
  );
  return receipts.map((receipt) => ({
    ...receipt,
    memories: receipt.memories.map((memory) => {
      const verdict = verdicts.get(`${receipt.prompt_id} ${memory.path}`);
      return verdict === undefined ? memory : { ...memory, verdict };
    }),
  }));
}
