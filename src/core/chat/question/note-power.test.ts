import { expect, test } from 'vitest';
import { createScriptedProviders } from '../../../../tests/chat/support/scripted-provider';
import { readAgentNote } from '../../agents';
import type { Provider } from '../../providers';
import type { Answerer } from './answerer';
import { wideningsOf } from './note-power';

const { providers } = createScriptedProviders([]);
const usual: Provider = await providers.pick(null);
const limited = { ...usual, usual: { maxTokens: 4000, reasoning: 'medium' as const } };
const elsewhere = { ...usual, id: 'other' };

const inForce: Answerer = {
  ...{ provider: usual, tag: 'Claude', providerTag: 'Claude', agent: null },
  ...{ temperature: null, maxTokens: null, reasoning: null, webSearch: null },
  ...{ parameters: null, tools: null, approval: null, ask: null },
};

type Change = Partial<Answerer>;
const poet = readAgentNote('.interlinear/agents/Poet.md', 'Write verses.');

/** Of each: the note's head, who answers by it and without it, and what goes beyond. */
test.each<[string, string, Change, Change, string[]]>([
  ['runs unasked', 'approval: allow', { approval: 'allow' }, {}, ['approval ask allow']],
  ['asks more', 'approval: deny', { approval: 'deny' }, {}, []],
  [
    'asks what an agent never runs',
    'approval: ask',
    { approval: 'ask' },
    { approval: 'deny' },
    ['approval deny ask'],
  ],
  [
    'another model',
    'model: x',
    { provider: { ...usual, model: 'x' } },
    {},
    ['model scripted-1 · #Claude x · #Claude'],
  ],
  ['the model in force', 'model: scripted-1', {}, {}, []],
  [
    'another provider',
    'model: Other',
    { provider: elsewhere, providerTag: 'Other' },
    {},
    ['model scripted-1 · #Claude scripted-1 · #Other'],
  ],
  ['a limit where there is none', 'max_tokens: 9', { maxTokens: 9 }, {}, []],
  [
    'longer than usual',
    'max_tokens: 4001',
    { maxTokens: 4001, provider: limited },
    { provider: limited },
    ['max_tokens 4000 4001'],
  ],
  ['as long as usual', 'max_tokens: 4000', { maxTokens: 4000, provider: limited }, { provider: limited }, []],
  ['more reasoning than', 'reasoning: low', { reasoning: 'low' }, {}, ['reasoning null low']],
  [
    'more reasoning than usual',
    'reasoning: high',
    { reasoning: 'high', provider: limited },
    { provider: limited },
    ['reasoning medium high'],
  ],
  ['less reasoning', 'reasoning: low', { reasoning: 'low', provider: limited }, { provider: limited }, []],
  ['no reasoning', 'reasoning: none', { reasoning: 'none' }, {}, []],
  [
    'parameters that cost',
    'parameters: {max_tokens: 9, top_p: 1}',
    { parameters: { max_tokens: 9, top_p: 1 } },
    {},
    ['parameters null {"max_tokens":9}'],
  ],
  [
    'parameters that choose words',
    'parameters: {top_p: 1, seed: 3}',
    { parameters: { top_p: 1, seed: 3 } },
    {},
    [],
  ],
  ['a search', 'web_search: true', { webSearch: true }, {}, ['web_search false true']],
  ['no search', 'web_search: false', { webSearch: false }, {}, []],
  [
    'a search that the provider has not',
    'web_search: true',
    { webSearch: true, provider: { ...usual, search: { ...usual.search, can: 'never' } } },
    {},
    [],
  ],
  [
    'a search that is set anyway',
    'web_search: true',
    { webSearch: true },
    { provider: { ...usual, search: { ...usual.search, isOn: true } } },
    [],
  ],
  ['fewer tools than all', 'tools: [a]', { tools: ['a'] }, {}, []],
  [
    'more tools than an agent’s',
    'tools: [a, b]',
    { tools: ['a', 'b'] },
    { tools: ['a'] },
    ['tools [a] [a, b]'],
  ],
  ['all tools in place of some', 'tools: ["*"]', { tools: ['*'] }, { tools: ['a'] }, ['tools [a] [*]']],
  ['some of a server’s tools', 'tools: [a/x]', { tools: ['a/x'] }, { tools: ['a'] }, []],
  ['an agent that does no more', 'agent: Poet', { agent: poet, tools: ['a'], approval: 'ask' }, {}, []],
  [
    'an agent with another model',
    'agent: Poet',
    { agent: poet, provider: { ...usual, model: 'x' } },
    {},
    ['model scripted-1 · #Claude x · #Claude', 'agent null Poet'],
  ],
  [
    'an agent with tools of its own',
    'agent: Poet',
    { agent: poet, tools: ['b'] },
    { tools: ['a'] },
    ['tools [a] [b]', 'agent null Poet'],
  ],
  [
    'an agent, and a model',
    'agent: Poet\nmodel: x',
    { agent: poet, provider: { ...usual, model: 'x' } },
    {},
    ['model scripted-1 · #Claude x · #Claude', 'agent null Poet'],
  ],
  [
    'a provider that frees of an agent’s limits',
    'model: Other',
    { provider: elsewhere, providerTag: 'Other' },
    { tools: ['a'], approval: 'deny' },
    ['approval deny ask', 'model scripted-1 · #Claude scripted-1 · #Other', 'tools [a] *'],
  ],
  ['other words', 'temperature: 2', { temperature: 2 }, {}, []],
])('what goes beyond what is in force: %s (%j)', (_name, _head, wanted, now, expected) => {
  const widenings = wideningsOf({ ...inForce, ...wanted }, { ...inForce, ...now }, 'ask');
  expect(widenings.map(({ what, now, wants }) => `${what} ${now} ${wants}`)).toEqual(expected);
});

test('where all tools run unasked by the person’s own setting, a note that says so wants nothing', () => {
  expect(wideningsOf({ ...inForce, approval: 'allow' }, inForce, 'allow')).toEqual([]);
  expect(wideningsOf({ ...inForce, approval: 'allow' }, inForce, 'deny')).toHaveLength(1);
});
