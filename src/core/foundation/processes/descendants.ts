import type { readdirSync, readFileSync } from 'node:fs';

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
 * What descends from a process by now, also in sessions of their own; what is left of its session when it has ended; and whoever
 * of the `previous` ones is still there, with what descends from them: nothing else tells whose they were. Nothing where
 * there is no `/proc`. Refers to nothing but its parameters: the guard runs its text.
 */
export function findDescendants(
  pid: number,
  previous: readonly Descendant[],
  { readdirSync, readFileSync }: ProcFiles,
): Descendant[] {
  const children = new Map<number, Descendant[]>();
  const descendants = new Map<number, Descendant>();
  const startTimes = new Map(previous.map((one) => [one.pid, one.startTime]));
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
      const [parent, session] = [Number(fields[1]), Number(fields[3])];
      const one = { pid: Number(name), startTime: fields[19] ?? '' };
      const siblings = children.get(parent);
      if (siblings) siblings.push(one);
      else children.set(parent, [one]);
      if (one.pid !== pid && (session === pid || startTimes.get(one.pid) === one.startTime))
        descendants.set(one.pid, one);
    } catch {
      // It has ended.
    }
  }
  for (let rest = [pid, ...descendants.keys()]; rest.length > 0; ) {
    const below = rest.flatMap((one) => children.get(one) ?? []).filter((one) => !descendants.has(one.pid));
    for (const one of below) descendants.set(one.pid, one);
    rest = below.map((one) => one.pid);
  }
  return [...descendants.values()];
}

/**
 * Sends a signal to those that are still there and not in the process group `group`; `0` only looks. How many there were.
 * Refers to nothing but its parameters either.
 */
export function signalDescendants(
  descendants: readonly Descendant[],
  signal: NodeJS.Signals | 0,
  group: number,
  { readFileSync }: Pick<ProcFiles, 'readFileSync'>,
): number {
  let count = 0;
  for (const { pid, startTime } of descendants) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // One that has ended may wait for a parent that never asks.
      if (fields[19] !== startTime || fields[0] === 'Z' || Number(fields[2]) === group) continue;
      process.kill(pid, signal);
      count++;
    } catch {
      // It has ended.
    }
  }
  return count;
}
