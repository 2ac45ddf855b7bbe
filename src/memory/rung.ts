/** Where a rule reaches the model, from its title on: each rung also has those below. */
export const RUNGS = ["title", "prompt", "moment", "guard"] as const;
export type Rung = typeof RUNGS[number];
