import type { Handlers } from '../../contract/define';
import type { AppOperations } from '../../contract/operations';
import type { Timeline, VersionDiff } from '../../contract/versions';
import { live } from './live';

const minute = 60_000;

/** A note's versions as they might be; mostly data. Long, as it is a list of examples. */
export function createExampleVersions(empty: boolean) {
  const now = Date.now();
  const answer = { runId: 'run-1', note: 'Inbox.md', model: 'small-model', startedAt: now - 40 * minute };
  const text = { kind: 'text', path: 'Inbox.md', bytes: 1_200 } as const;
  const timeline = live<Timeline>({
    state: { kind: 'on' },
    entries: empty
      ? []
      : [
          {
            ...text,
            id: 'v4',
            at: now - 3 * minute,
            by: [{ kind: 'you' }],
            cause: 'changed',
            added: 2,
            removed: 1,
          },
          {
            ...text,
            id: 'v3',
            at: now - 39 * minute,
            by: [{ kind: 'tool', server: 'files', tool: 'edit_file', callId: 'c1', certain: true, answer }],
            cause: 'changed',
            added: 4,
            removed: 4,
          },
          {
            ...text,
            id: 'v2',
            at: now - 40 * minute,
            by: [{ kind: 'model', answer }],
            cause: 'changed',
            added: 12,
            removed: 0,
          },
          {
            ...text,
            id: 'v1',
            at: now - 26 * 60 * minute,
            by: [{ kind: 'disk' }],
            cause: 'changed',
            added: 1,
            removed: 0,
          },
          {
            ...text,
            id: 'v0',
            at: now - 50 * 60 * minute,
            by: [],
            cause: 'found',
            added: null,
            removed: null,
          },
        ],
    more: 0,
  });
  const plain = (line: string) => [{ text: line, changed: false }];
  const diff: VersionDiff = {
    basis: 'b',
    endsOnly: false,
    hunks: [
      {
        line: 2,
        gone: 1,
        new: 1,
        cut: 0,
        rows: [
          { kind: 'same', line: 1, parts: plain('# Inbox') },
          {
            kind: 'gone',
            line: 2,
            parts: [
              { text: 'Buy ', changed: false },
              { text: 'bread', changed: true },
            ],
          },
          {
            kind: 'new',
            line: 2,
            parts: [
              { text: 'Buy ', changed: false },
              { text: 'milk', changed: true },
            ],
          },
        ],
      },
    ],
  };
  return {
    'versions.timeline': (_, { signal }) => timeline.follow(signal),
    'versions.read': () => ({ text: '# Inbox\n\nBuy milk\n' }),
    'versions.changes': () => diff,
    'versions.preview': () => diff,
    'versions.restore': () => ({ saved: true }),
    'versions.deleted': (_, { signal }) => live({ state: { kind: 'on' as const }, notes: [] }).follow(signal),
    'versions.forget': () => ({ forgotten: 1 }),
    'versions.restoreDeleted': () => ({ path: 'Inbox.md' }),
    'versions.writeAgain': ({ path }) => ({ path }),
    'versions.restorable': (_, { signal }) =>
      live(empty ? [] : [{ startedAt: answer.startedAt, lastAt: now }]).follow(signal),
    'versions.answers': () => (empty ? [] : [{ ...answer, lastAt: now, notes: 1 }]),
    'versions.beforeAnswer': () => ({
      state: { kind: 'on' as const },
      answer: { ...answer, lastAt: now, notes: 1 },
      notes: [
        {
          note: 'n1',
          path: 'Inbox.md',
          tools: ['files · edit_file'],
          certain: true,
          change: { kind: 'text' as const, diff },
        },
      ],
    }),
    'versions.restoreBeforeAnswer': () => ({ notes: [{ note: 'n1', path: 'Inbox.md', problem: null }] }),
  } satisfies Partial<Handlers<AppOperations>>;
}
