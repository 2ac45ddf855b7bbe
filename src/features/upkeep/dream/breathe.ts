/** Lets other work go first. */
export type Pause = () => Promise<void>;

/** Memories that are looked at in one go, for some milliseconds; the daemon answers prompts in between. */
const STEP = 5;

/** Lets other work go first, every so many rounds of a loop; unless it is said how, what waits for its turn alone. */
export async function breathe(round: number, pause: Pause = takeTurns): Promise<void> {
  if (round % STEP === STEP - 1) await pause();
}

function takeTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
