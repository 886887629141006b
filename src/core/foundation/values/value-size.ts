export interface Size {
  readonly parts: number;
  /** Of its texts and keys. */
  readonly characters: number;
  /** Of its keys alone. */
  readonly names: number;
}

const deepestValue = 500;

/** How large a value is, as far as it is of interest. Does not recurse itself. */
export function measured(
  value: unknown,
  { depth: deepest = deepestValue, parts: most = Number.POSITIVE_INFINITY } = {},
): Size | 'deep' | 'large' {
  let parts = 1;
  let characters = typeof value === 'string' ? value.length : 0;
  let names = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return 'deep';
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (Array.isArray(item)) parts += item.length;
      if (parts > most) return 'large';
      const isList = Array.isArray(item);
      for (const key in item) {
        const child = (item as Record<string, unknown>)[key];
        if (!isList) {
          names += key.length;
          if (++parts > most) return 'large';
        }
        if (typeof child === 'string') characters += child.length;
        else if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return { parts, characters: characters + names, names };
}
