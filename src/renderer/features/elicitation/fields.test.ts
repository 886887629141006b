import { expect, test } from 'vitest';
import { fieldsOf, seemsSecret, startValues } from './fields';

const schema = {
  type: 'object',
  required: ['name', 'agree'],
  properties: {
    name: { type: 'string', title: 'Your name', default: 'Ada' },
    age: { type: 'integer' },
    agree: { type: 'boolean' },
    old: { type: 'string', enum: ['a', 'b'], enumNames: ['Eh', 'Bee'] },
    titled: { type: 'string', oneOf: [{ const: 'x', title: 'Ex' }] },
    many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] }, default: ['q'] },
    password: { type: 'string' },
  },
};

test('a form of a server becomes fields, every form of choice included, filled with its defaults', () => {
  const fields = fieldsOf(schema);
  expect(fields.map(({ kind }) => kind)).toEqual([
    'text',
    'number',
    'boolean',
    'choice',
    'choice',
    'choices',
    'text',
  ]);
  expect(fields[3]?.options).toEqual([
    { value: 'a', label: 'Eh' },
    { value: 'b', label: 'Bee' },
  ]);
  expect(fields[4]?.options).toEqual([{ value: 'x', label: 'Ex' }]);
  expect(startValues(fields)).toEqual({ name: 'Ada', agree: false, many: ['q'] });
});

test('a field that asks for a secret is known as one', () => {
  expect(
    fieldsOf(schema)
      .filter(seemsSecret)
      .map(({ name }) => name),
  ).toEqual(['password']);
});
