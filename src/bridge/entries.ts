import type { z } from 'zod';

/** One of a list that the contract does not let through. */
export interface LeftOut {
  /** What it calls itself. */
  readonly name: string;
  readonly reason: string;
}

const mostRounds = 10;

/**
 * What may cross: as the schema has it, without the entries of lists that do not fit. One bad entry costs that entry and
 * never the list. Throws where it is not a list's entry that is wrong.
 */
export function withoutBadEntries<T extends z.ZodType>(
  schema: T,
  value: unknown,
  onLeftOut: (entry: LeftOut) => void,
): z.output<T> {
  let fitting = value;
  for (let round = 0; ; round++) {
    const parsed = schema.safeParse(fitting);
    if (parsed.success) return parsed.data;
    const bad = new Map(
      parsed.error.issues.flatMap(({ path, message }) => {
        const at = path.findIndex((step) => typeof step === 'number');
        const entry = path.slice(0, at + 1);
        return at === -1 ? [] : [[JSON.stringify(entry), { entry, reason: reasonOf(path, at, message) }]];
      }),
    );
    if (bad.size === 0 || round === mostRounds) throw parsed.error;
    for (const { entry, reason } of bad.values())
      onLeftOut({ name: nameOf(valueAt(fitting, entry)), reason });
    fitting = without(
      fitting,
      [...bad.values()].map(({ entry }) => entry),
    );
  }
}

const reasonOf = (path: readonly PropertyKey[], at: number, message: string) =>
  `${path.slice(at + 1).join('.') || 'whole'}: ${message}`;

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (container, step) => (container as Record<PropertyKey, unknown> | null)?.[step],
    value,
  );

function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (Array.isArray(value)) {
    const indexes = new Set(paths.map(([index]) => index));
    return value.filter((_item, index) => !indexes.has(index));
  }
  const changed: Record<PropertyKey, unknown> = { ...(value as object) };
  const byStep = Map.groupBy(paths, ([step]) => step as PropertyKey);
  for (const [step, inside] of byStep)
    changed[step] = without(
      changed[step],
      inside.map(([, ...rest]) => rest),
    );
  return changed;
}

function nameOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return 'without a name';
  const { serverName, tool, name, title, id } = entry as Record<string, unknown>;
  const words = [serverName, tool ?? name ?? title ?? id].filter((word) => typeof word === 'string');
  return words.join('/').slice(0, 200) || 'without a name';
}
