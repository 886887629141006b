import { expect, test } from 'vitest';
import { type PinnedGrant, type PolicyFacts, verdict } from './policy';

const tool: PolicyFacts['tool'] = {
  serverId: 's1',
  serverName: 'memory',
  name: 'find',
  enabled: true,
  definition: 'd1',
  origin: 'o1',
  definitionText: 'now',
  approval: null,
};
const grant: PinnedGrant = {
  scope: 'tool',
  serverId: 's1',
  tool: 'find',
  note: null,
  path: null,
  origin: 'o1',
  pins: { find: { definition: 'd1', shown: 'then' } },
};
const facts: PolicyFacts = {
  tool,
  note: 'a',
  path: 'A.md',
  general: 'ask',
  grants: [],
  configured: null,
  unattended: null,
  paused: false,
};
const changed = { kind: 'ask', why: { kind: 'changed', before: 'then', after: 'now' } };
const ask = { kind: 'ask', why: { kind: 'policy' } };
const pinned = { origin: 'o1', pin: { definition: 'd1', shown: 'then' } };

test.each<[string, Partial<PolicyFacts>, object]>([
  ['nothing said: the general rule asks', {}, ask],
  ['the general rule allows', { general: 'allow' }, { kind: 'allow', by: 'settings' }],
  ['the general rule denies', { general: 'deny' }, { kind: 'deny', by: 'never-here' }],
  [
    'a pause of all tools beats every yes',
    { paused: true, grants: [grant], unattended: { allow: ['*'] } },
    { kind: 'deny', by: 'paused' },
  ],
  [
    'a tool that is switched off',
    { tool: { ...tool, enabled: false }, general: 'allow' },
    { kind: 'deny', by: 'off' },
  ],
  [
    '“never” beats a grant',
    { tool: { ...tool, approval: 'deny' }, grants: [grant] },
    { kind: 'deny', by: 'never' },
  ],
  [
    '“never” beats an unattended allow list',
    { tool: { ...tool, approval: 'deny' }, unattended: { allow: ['*'] } },
    { kind: 'deny', by: 'never' },
  ],
  ['“ask” of a tool beats a general “allow”', { tool: { ...tool, approval: 'ask' }, general: 'allow' }, ask],
  ['a grant for the tool', { grants: [grant] }, { kind: 'allow', by: 'grant' }],
  ['a grant for another tool', { grants: [{ ...grant, tool: 'add' }] }, ask],
  ['a grant for another server', { grants: [{ ...grant, serverId: 's2' }] }, ask],
  [
    'a grant for this note',
    { grants: [{ ...grant, scope: 'note', note: 'a', path: 'A.md' }] },
    { kind: 'allow', by: 'grant' },
  ],
  [
    'a grant for another note of this name',
    { grants: [{ ...grant, scope: 'note', note: 'b', path: 'A.md' }] },
    ask,
  ],
  [
    'a grant for a name, of a time when that was all that was kept',
    { grants: [{ ...grant, scope: 'note', path: 'A.md' }] },
    { kind: 'ask', why: { kind: 'policy', formerly: true } },
  ],
  [
    'a grant for the server',
    { grants: [{ ...grant, scope: 'server', tool: null }] },
    { kind: 'allow', by: 'grant' },
  ],
  [
    'a tool added after the server was allowed',
    { grants: [{ ...grant, scope: 'server', tool: null, pins: {} }] },
    ask,
  ],
  [
    '“ask” of a tool beats a grant for its server',
    { tool: { ...tool, approval: 'ask' }, grants: [{ ...grant, scope: 'server', tool: null }] },
    ask,
  ],
  ['the definition changed since', { tool: { ...tool, definition: 'd2' }, grants: [grant] }, changed],
  [
    'the command behind the server changed since',
    { tool: { ...tool, origin: 'o2' }, grants: [grant] },
    changed,
  ],
  [
    'changed since, though generally allowed',
    { tool: { ...tool, definition: 'd2' }, grants: [grant], general: 'allow' },
    changed,
  ],
  [
    'changed since, and allowed again',
    {
      tool: { ...tool, definition: 'd2' },
      grants: [grant, { ...grant, pins: { find: { definition: 'd2', shown: 'now' } } }],
    },
    { kind: 'allow', by: 'grant' },
  ],
  [
    'allowed in the configuration, first use',
    { tool: { ...tool, approval: 'allow' } },
    { kind: 'allow', by: 'configuration' },
  ],
  [
    'allowed in the configuration, unchanged',
    { tool: { ...tool, approval: 'allow' }, configured: pinned },
    { kind: 'allow', by: 'configuration' },
  ],
  [
    'allowed in the configuration, changed since',
    { tool: { ...tool, approval: 'allow', definition: 'd2' }, configured: pinned },
    changed,
  ],
  [
    'unattended, listed by server',
    { unattended: { allow: ['memory'] } },
    { kind: 'allow', by: 'unattended' },
  ],
  [
    'unattended, listed by tool',
    { unattended: { allow: ['memory/find'] } },
    { kind: 'allow', by: 'unattended' },
  ],
  ['unattended, listed by glob', { unattended: { allow: ['mem*/f*'] } }, { kind: 'allow', by: 'unattended' }],
  [
    'unattended, another tool listed',
    { unattended: { allow: ['memory/add', 'files'] } },
    { kind: 'deny', by: 'unattended' },
  ],
  ['unattended with a grant', { unattended: { allow: [] }, grants: [grant] }, { kind: 'allow', by: 'grant' }],
  [
    'unattended, changed since the grant',
    { unattended: { allow: [] }, grants: [grant], tool: { ...tool, definition: 'd2' } },
    { kind: 'deny', by: 'unattended' },
  ],
])('%s', (_name, change, expected) => {
  const { reason: _words, ...found } = { reason: '', ...verdict({ ...facts, ...change }) };
  expect(found).toEqual(expected);
});
