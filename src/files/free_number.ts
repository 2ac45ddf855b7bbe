/** A free number whose predecessor is taken: the first one from 1, unless there are gaps. It asks for few of them. */
export function freeNumber(isTaken: (n: number) => boolean): number {
  let taken = 0;
  let free = 1;
  while (isTaken(free)) [taken, free] = [free, 2 * free];
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}
