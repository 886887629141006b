import { expect, test } from 'vitest';
import { argumentChoices, argumentRows, checkArguments } from './tool-arguments';

const schema = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', description: 'How many' },
    path: { type: 'string' },
    order: { enum: ['up', 'down'] },
    edits: {
      type: 'array',
      items: { type: 'object', required: ['from'], properties: { from: { type: 'number' } } },
    },
  },
};
const said = (args: Record<string, unknown>) => checkArguments(schema, args).map(({ message }) => message);

test('arguments are listed with the required ones first', () => {
  expect(argumentRows(schema).map(({ name, type, required }) => [name, type, required])).toEqual([
    ['path', 'string', true],
    ['limit', 'integer', false],
    ['order', '"up" | "down"', false],
    ['edits', 'object[]', false],
  ]);
});

test('what is missing, unknown or of another type is said where it stands', () => {
  expect(said({ path: 'a', limit: 2, order: 'up', edits: [{ from: 1 }] })).toEqual([]);
  expect(said({})).toEqual(['“path” is missing.']);
  expect(said({ path: 1 })).toEqual(['“path” must be string.']);
  expect(said({ path: 'a', limit: 1.5 })).toEqual(['“limit” must be integer.']);
  expect(said({ path: 'a', order: 'left' })).toEqual(['“order” must be one of "up" | "down".']);
  expect(said({ path: 'a', edits: [{}] })).toEqual(['“edits[0].from” is missing.']);
  expect(said({ path: 'a', more: 1 })).toEqual(['The tool has no argument “more”.']);
});

test('arguments that are written by reference, or of which nothing is said, are arguments as well', () => {
  const whole = {
    $defs: { order: { enum: ['up', 'down'], description: 'Which way' } },
    additionalProperties: false,
    properties: {
      order: { $ref: '#/$defs/order' },
      any: true,
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  };
  expect(argumentRows(whole).map(({ name, type }) => [name, type])).toEqual([
    ['order', '"up" | "down"'],
    ['any', 'any'],
    ['maybe', 'string'],
  ]);
  expect(argumentChoices(whole, 'order')).toEqual(['up', 'down']);
  expect(argumentChoices(whole, 'any')).toBeNull();
  expect(checkArguments(whole, { any: 1, maybe: null })).toEqual([]);
  expect(checkArguments(whole, { toString: 1 })).toHaveLength(1);
});
