/** Items in groups by a key, in the order of the keys. */
export function grouped<T, K extends Record<string, string>>(
  items: readonly T[],
  keyOf: (item: T) => K,
): { key: K; members: T[] }[] {
  const groups = new Map<string, { key: K; members: T[] }>();
  for (const item of items) {
    const key = keyOf(item);
    const name = JSON.stringify(key);
    if (!groups.has(name)) groups.set(name, { key, members: [] });
    groups.get(name)!.members.push(item);
  }
  return [...groups].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, group]) => group);
}
