/** A function of objects that computes each result once, as long as its object is in use. */
export function remembering<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) known.set(key, found = { value: compute(key) });
    return found.value;
  };
}

/** A function that makes its result once, when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Puts a value at the end of a map of the last ones used, and drops the first where that has more than `most`. */
export function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

/** A function that keeps the last results that were asked for; what fails is computed again. */
export function keepingLast<K, V>(
  most: number,
  compute: (key: K) => Promise<V>,
): (key: K) => Promise<V> {
  const known = new Map<K, Promise<V>>();
  return (key) => {
    const found = known.get(key) ?? compute(key);
    putLast(known, key, found, most);
    found.catch(() => known.get(key) === found && known.delete(key));
    return found;
  };
}
