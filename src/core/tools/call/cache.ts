import { createHash } from 'node:crypto';
import type { Settings } from '../../../contract/settings';
import { sorted } from '../request/arguments';
import type { EarlierResult } from '../request/request';

export type CacheVerdict =
  | { readonly kind: 'run' }
  | { readonly kind: 'reuse'; readonly earlier: EarlierResult }
  | { readonly kind: 'ask'; readonly earlier: EarlierResult; readonly ageMs: number };

/** Of a definition, in a note: a shorter one could be guessed. */
const writtenLength = 12;
/** Milliseconds. */
const clockError = 60_000;

/** The note is the cache: an equal call that went well and whose tool is still the same may be reused. */
export function cacheVerdict(
  call: {
    readonly serverName: string;
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly definition: string;
    readonly readOnly: boolean;
    /** Results from before may have been meant for another account. */
    readonly since: number;
    /** Of the vault, which others change too, and this note by what is written into it. */
    readonly readsNotes: boolean;
  },
  earlier: readonly EarlierResult[],
  { cache, cacheMaxAge }: Pick<Settings['tools'], 'cache' | 'cacheMaxAge'>,
  now: number,
): CacheVerdict {
  if (cache === 'run' || earlier.length === 0) return { kind: 'run' };
  const key = callKey(call.serverName, call.tool, call.arguments);
  const equal = earlier
    .filter(
      (result) =>
        result.outcome.status === 'ok' &&
        result.at >= call.since &&
        result.definition !== null &&
        result.definition !== '' &&
        call.definition.startsWith(result.definition) &&
        result.definition.length >= writtenLength &&
        // Nothing of ours was written later than now, but for a clock that was put right.
        result.at <= now + clockError &&
        callKey(result.serverName, result.tool, result.arguments) === key,
    )
    .reduce<EarlierResult | null>(
      (newest, result) => (newest && newest.at >= result.at ? newest : result),
      null,
    );
  if (!equal) return { kind: 'run' };
  const ageMs = Math.max(0, now - equal.at);
  if (cache === 'ask') return { kind: 'ask', earlier: equal, ageMs };
  const isGood = call.readOnly && !call.readsNotes && ageMs <= cacheMaxAge;
  return isGood ? { kind: 'reuse', earlier: equal } : { kind: 'run' };
}

/** Equal for equal calls, whatever the order of the arguments' keys. */
export function callKey(server: string, tool: string, args: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([server.toLowerCase(), tool, sorted(args)]))
    .digest('hex');
}
