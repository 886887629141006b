import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentTag } from '../../src/core/agents';
import { parseConversation } from '../../src/markdown';

const roles = { newChat: ['NewChat'], user: ['User'], system: ['System'] };
const signs = [...'abcZ09 _-/:#.!?*"\\\t\u0301٣中ßÅ：，👩‍🔬🇩🇪👍🏽1️⃣'];
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 200 }).map((all) => all.join('')),
  )
  .filter((one) => one.trim() !== '');

const answersIn = (text: string, tag: string) =>
  parseConversation(text, { ...roles, assistant: [tag] }, []).turns.filter(
    (turn) => turn.role === 'assistant',
  );

test('whatever an agent is called, what it answers is read as its answer', () => {
  const check = (called: string) => {
    const tag = agentTag(called);
    const turns = answersIn(`#User : q\n\n#${tag} : hello\n\n#User : r`, tag);
    expect(turns, called).toMatchObject([{ tag }]);
  };
  for (const called of [
    'New agent',
    '设计 师',
    '👩‍🔬',
    '🇩🇪',
    'a:b',
    '#x',
    'Team/',
    '-x',
    '2024',
    '٣',
    '...',
    'x'.repeat(200),
  ])
    check(called);
  fc.assert(fc.property(name, check), { numRuns: 1_000 });
});

test('names of which a tag can hold nothing are not one tag', () => {
  const tags = ['!!!', '???', '...', ':', '"'].map(agentTag);
  expect(new Set(tags).size).toBe(tags.length);
});
