import { expect, test } from 'vitest';
import type { Entity } from '../entity/model/model';
import { replacedDecision } from './superseded';

const decision = (id: string, values: Entity['values'] = {}) => ({ id, type: 'decision', values }) as Entity;
const replaced = (id: string, ...all: readonly Entity[]) =>
  replacedDecision(decision(id), { supersedes: 'DEC-001' }, (wish) => all.find((one) => one.id === wish));

test('a decision that another one superseded is not taken from it, and both ways out are told', () => {
  const old = decision('DEC-001', { superseded_by: '[[DEC-002 Boxes]]' });
  expect(() => replaced('DEC-003', old)).toThrow(
    expect.objectContaining({
      failure: {
        code: 'conflict',
        message: 'DEC-001 is superseded by DEC-002 already.',
        field: 'supersedes',
        hint: 'Let this one supersede DEC-002, or empty superseded_by of DEC-001 first.',
      },
    }),
  );
  expect(replaced('DEC-002', old), 'the one that did may say so again').toBe(old);
});

test('a decision that nothing superseded yet may be', () => {
  const old = decision('DEC-001');
  expect(replaced('DEC-002', old)).toBe(old);
  expect(replacedDecision(decision('DEC-002'), {}, () => old)).toBeNull();
});

test('a decision supersedes neither itself nor what is none', () => {
  const task = { id: 'DEC-001', type: 'task', values: {} } as unknown as Entity;
  for (const [id, ...all] of [['DEC-001', decision('DEC-001')], ['DEC-002', task], ['DEC-002']] as const)
    expect(() => replaced(id, ...all)).toThrow('A decision supersedes another decision.');
});
