/** Memories that are looked at in one go; the daemon answers prompts in between. */
const STEP = 25;

/** Lets other work go first, every so many rounds of a loop. */
export async function breathe(round: number): Promise<void> {
  if (round % STEP === STEP - 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
