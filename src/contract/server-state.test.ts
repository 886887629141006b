import { expect, test } from 'vitest';
import { ServerState } from './mcp';
import { serverCondition, serverStandings, standingOf } from './server-state';

const given = { by: 'user', reason: { code: 'ended' as const }, since: 0, attempt: 0, retryAt: 0 };

test('every state of the contract stands in the table, and every row of the table is a state', () => {
  const all = ServerState.options.map(({ shape }) => ServerState.parse({ ...given, kind: shape.kind.value }));
  const conditions = [
    ...all,
    { kind: 'disabled' as const, by: 'failures' as const, reason: { code: 'ended' as const } },
  ].map(serverCondition);
  expect(new Set(conditions)).toEqual(new Set(Object.keys(serverStandings)));
});

test('no state is a dead end, and what has failed is never shown as on and well', () => {
  for (const { actions } of Object.values(serverStandings)) expect(actions).not.toEqual([]);
  expect(standingOf({ kind: 'disabled', by: 'failures', reason: { code: 'ended' } })).toMatchObject({
    health: 'trouble',
    on: false,
    actions: expect.arrayContaining(['turn-on', 'restart']),
  });
});
