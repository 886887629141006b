import { readdirSync, readFileSync } from 'node:fs';

/** A process, known again by when it began: its number may be another's by then. */
export interface Descendant {
  readonly pid: number;
  readonly startTime: string;
}

export interface ProcFiles {
  readonly readdirSync: typeof readdirSync;
  readonly readFileSync: typeof readFileSync;
}

/**
 * What descends from a process by now, also in sessions of its own; nothing where there is no `/proc`. Refers to nothing but its
 * parameters: the guard runs its text.
 */
export function findDescendants(pid: number, { readdirSync, readFileSync }: ProcFiles): Descendant[] {
  const children = new Map<number, Descendant[]>();
  let names: string[] = [];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  for (const name of names) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // Its name, in brackets, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const parent = Number(fields[1]);
      const one = { pid: Number(name), startTime: fields[19] ?? '' };
      children.set(parent, [...(children.get(parent) ?? []), one]);
    } catch {
      // It has ended.
    }
  }
  const found: Descendant[] = [];
  for (let rest = [pid]; rest.length > 0; ) {
    const below = rest.flatMap((one) => children.get(one) ?? []);
    found.push(...below);
    rest = below.map((one) => one.pid);
  }
  return found;
}

/** Ends those that are still there. Refers to nothing but its parameters either. */
export function killDescendants(
  descendants: readonly Descendant[],
  { readFileSync }: Pick<ProcFiles, 'readFileSync'>,
): void {
  for (const { pid, startTime } of descendants) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === startTime) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/** By now, also those in sessions of their own. */
export const descendantsOf = (pid: number) => findDescendants(pid, { readdirSync, readFileSync });

export const endDescendants = (descendants: readonly Descendant[]) =>
  killDescendants(descendants, { readFileSync });
