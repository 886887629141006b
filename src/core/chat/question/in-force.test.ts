import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScriptedProviders } from '../../../../tests/chat/support/scripted-provider';
import { createMemorySettings } from '../../../../tests/support/in-memory';
import type { NotePower } from '../../../contract/chat';
import { type PowerField, powerFields } from '../../../contract/front-matter-fields';
import { type ResolvedAgent, readAgentNote } from '../../agents';
import { createObservable } from '../../foundation';
import type { Providers } from '../../providers';
import { findAnswerer } from './answerer';
import { findInForce } from './in-force';
import { wideningsOf, withoutFields } from './note-power';
import { readNoteSettings } from './note-settings';

/** Two providers: who is there by default, and another, which answers longer and searches. */
function twoProviders(): Providers {
  const { providers } = createScriptedProviders([]);
  const [claude] = providers.list.get();
  if (!claude) throw new Error('no provider');
  const other = { ...claude, id: 'other', tag: 'Other', isDefault: false };
  return {
    ...providers,
    list: createObservable([claude, other]),
    async pick(name, changes) {
      const one = await providers.pick(null, changes);
      const usual = { maxTokens: name === 'Other' ? 9_000 : 4_000, reasoning: null };
      return name === 'Other' ? { ...one, id: 'other', usual } : { ...one, usual };
    },
  };
}

const line = (key: string, ...values: string[]) =>
  fc.constantFrom('', ...values).map((value) => (value === '' ? '' : `${key}: ${value}\n`));

const shared = [
  line('approval', 'allow', 'ask', 'deny'),
  line('model', 'x', 'Other', 'scripted-1'),
  line('max_tokens', '9', '4000', '5000', '20000'),
  line('reasoning', 'none', 'low', 'high'),
  line('web_search', 'true', 'false'),
  line('tools', '[a]', '[a, b]', '["*"]', '[]'),
  line('parameters', '{top_p: 1}', '{max_tokens: 90000}'),
];
const joined = (lines: readonly string[]) => lines.join('');
const head = fc.tuple(line('agent', 'Poet', 'Other', 'Claude'), ...shared).map(joined);
const agent = fc
  .tuple(line('provider', 'Claude', 'Other'), ...shared)
  .map((lines): ResolvedAgent => readAgentNote('Poet.md', `---\n${joined(lines)}---\nInstructed.`));

test('whatever a note says and whatever of it is agreed to, an answer never goes beyond that', async () => {
  const parts = { providers: twoProviders(), settings: createMemorySettings() };
  const turns = fc.constantFrom(null, 'Poet', 'Other');
  await fc.assert(
    fc.asyncProperty(head, agent, fc.subarray([...powerFields]), turns, async (text, poet, agreed, tag) => {
      const agents = {
        find: (name: string) => (name === 'Poet' ? poet : undefined),
        list: createObservable([poet]),
      };
      const note = readNoteSettings(`---\n${text}---\n`);
      const isAgreed = (_path: string, { field }: NotePower) => agreed.includes(field);
      const wish = { path: 'A.md', tag, isChosen: false };
      const none = { before: [], all: [] };
      const found = await findInForce(wish, note, none, { ...parts, agents, isAgreed });
      const { answerer, powers } = found;

      const open = powers.filter((power) => !agreed.includes(power.field)).map(({ field }) => field);
      const fields = new Set<PowerField>(open);
      const withAgent = powers.find(({ field }) => field === 'approval')?.agent;
      if (agreed.includes('approval') && withAgent === 'Poet') fields.delete('agent');
      const rest = withoutFields(note, fields);
      const base = await findAnswerer(wish, rest, none, { ...parts, agents });
      const isHeld = fields.has('approval') && base.approval === 'allow';
      const allowed = isHeld ? { ...base, approval: null } : base;
      expect(wideningsOf(answerer, allowed, 'ask')).toEqual([]);
      // Nothing is asked about that makes no difference.
      if (answerer.ask) {
        expect(answerer.ask.powers).not.toEqual([]);
        expect(answerer.ask.changes).not.toEqual([]);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 1_000) },
  );
});

test('no note of the sample vault asks for anything, whoever wrote it', async () => {
  const parts = {
    ...{ providers: twoProviders(), settings: createMemorySettings() },
    agents: { find: () => undefined, list: createObservable([]) },
    isAgreed: () => false,
  };
  const notes = globSync('resources/sample-vault/**/*.md').filter((path) => !path.includes('.interlinear'));
  expect(notes.length).toBeGreaterThan(10);
  for (const path of notes) {
    const note = readNoteSettings(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'));
    const wish = { path, tag: null, isChosen: false };
    const { answerer } = await findInForce(wish, note, { before: [], all: [] }, parts);
    expect([path, answerer.ask]).toEqual([path, null]);
  }
});
