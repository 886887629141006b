import type { CallOutcome } from '../../contract/tools';

export interface RecentCall {
  readonly serverId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Milliseconds; seconds are what a note keeps. */
  readonly at: number;
}

/** Characters of all results that are kept, and of one. */
const most = 32_000_000;
const largest = 8_000_000;

/**
 * The newest results of tools with views, whole: a note keeps only the beginning of a long one, and nothing of what is
 * meant for the view alone.
 */
export function createRecentResults(): {
  keep(call: Omit<RecentCall, 'at'>, outcome: CallOutcome): void;
  find(call: RecentCall): CallOutcome | null;
} {
  const results = new Map<string, { outcome: CallOutcome; size: number }>();
  let size = 0;

  const keyOf = ({ serverId, tool, arguments: args, at }: RecentCall) =>
    JSON.stringify([serverId, tool, Math.floor(at / 1000), args]);

  return {
    keep(call, outcome) {
      const weight = JSON.stringify(outcome).length;
      if (weight > largest) return;
      const key = keyOf({ ...call, at: outcome.at });
      size += weight - (results.get(key)?.size ?? 0);
      results.delete(key);
      results.set(key, { outcome, size: weight });
      for (const [oldest, { size: freed }] of results) {
        if (size <= most) break;
        results.delete(oldest);
        size -= freed;
      }
    },
    find: (call) => results.get(keyOf(call))?.outcome ?? null,
  };
}
