import type { Handlers } from '../../contract/define';
import type { AppOperations } from '../../contract/operations';
import type { RecoveryList } from '../../contract/recovery';
import { live } from './live';

/** Texts that were recovered as they might be. */
export function createExampleRecovery(empty: boolean) {
  const text = {
    id: '0123456789ab',
    note: 'Trips/Oslo.md',
    name: 'Oslo',
    reason: 'trashed',
    at: Date.now() - 300_000,
    parts: [{ part: 'text', bytes: 120 }],
    now: { kind: 'gone' },
    restored: null,
    place: '/data/kept/Oslo',
  } as const;
  const list = live<RecoveryList>({ texts: empty ? [] : [{ ...text, parts: [...text.parts] }], others: [] });
  return {
    'recovery.list': (_input, { signal }) => list.follow(signal),
    'recovery.read': () => ({ text: 'Ferry at nine\nCall Ada\n', cut: false }),
    'recovery.compare': () => ({ basis: 'b', hunks: [], endsOnly: false }),
    'recovery.restore': () => ({ saved: true }),
    'recovery.restoreAsNew': () => ({ path: 'Trips/Oslo.md' }),
    'recovery.discard': () => undefined,
  } satisfies Partial<Handlers<AppOperations>>;
}
