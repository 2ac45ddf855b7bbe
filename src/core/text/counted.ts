/** A number as people read it: `12,345`. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** `1 file`, `2 files`, `2 memories`. */
export function counted(
  count: number,
  noun: string,
  nouns = `${noun.replace(/(?<![aeiou])y$/, "ie")}s`,
): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** A moment by the local clock: `2026-11-21`, `19:05`, `19:05:09`. */
export function localTime(
  moment: Date,
): { readonly day: string; readonly time: string; readonly seconds: string } {
  const two = (number: number) => String(number).padStart(2, "0");
  const year = String(moment.getFullYear()).padStart(4, "0");
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return {
    day: `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`,
    time,
    seconds: `${time}:${two(moment.getSeconds())}`,
  };
}
