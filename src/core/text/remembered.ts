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
