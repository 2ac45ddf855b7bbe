import * as z from "zod";
import { SAYS_RUNG } from "../../obedience/rungs.ts";
import { Bills } from "../../statistics/bills.ts";
import { proofOf } from "../../statistics/proof.ts";
import { type CallContext, defineCall } from "./call.ts";

/** The bills that were read for the page; as long as there is the engine, none is read twice. */
const bills = new WeakMap<CallContext["engine"], Bills>();

/** `proof {days?}`: what became of rules, and what memo costs in tokens, money and time; over all projects. */
export const proof = defineCall({
  name: "proof",
  writes: false,
  params: z.strictObject({ days: z.int().min(1).max(366).default(30) }),
  async run({ days }, { engine, paths, place, env, now }) {
    const known = bills.get(engine) ?? new Bills();
    bills.set(engine, known);
    const { rules, ...proof } = await proofOf({
      ...{ paths, days, now: now(), bills: known, config: engine.config(place, env) },
      saved: () => engine.withIndex((index) => index.savedByDay()),
    });
    return {
      ...proof,
      // The page knows of no path.
      rules: rules.map(({ path: _, rung, ...rule }) => ({ ...rule, rung: SAYS_RUNG[rung] })),
    };
  },
});
