import { expect, test } from 'vitest';
import { fieldsOf, missing, shapeOf, shows, typeText, withDefaults } from './shape';

const entity = {
  type: 'object',
  properties: { note: { type: 'string' }, name: { type: 'string' } },
  required: ['name'],
};
const root = {
  type: 'object',
  properties: {
    limit: { type: ['integer', 'null'], minimum: 1 },
    sort: { enum: ['a', 'b'] },
    entities: { type: 'array', items: { $ref: '#/$defs/entity' } },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'May be left out.' },
    mixed: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
  required: ['entities'],
  $defs: { entity },
};

test('required fields come first and references are followed', () => {
  const [first, ...rest] = fieldsOf(root, root);
  expect(first).toMatchObject({ name: 'entities', required: true });
  expect(rest.map(({ name }) => name)).toEqual(['limit', 'sort', 'maybe', 'mixed']);
  expect(shapeOf(first?.schema ?? {}, root)).toEqual({ kind: 'list', item: entity });
});

test('a type or nothing is that type', () => {
  const shapes = Object.fromEntries(
    fieldsOf(root, root).map(({ name, schema }) => [name, shapeOf(schema, root).kind]),
  );
  expect(shapes).toEqual({
    entities: 'list',
    limit: 'number',
    sort: 'choice',
    maybe: 'string',
    mixed: 'raw',
  });
});

test('types are told in words', () => {
  const words = fieldsOf(root, root).map(({ schema }) => typeText(schema, root));
  expect(words).toEqual(['list of object', 'integer or null', 'choice', 'string', 'string or number']);
});

test('what is required and not given is told with its path, also inside of lists', () => {
  expect(missing({}, root, root)).toEqual(['entities']);
  expect(missing({ entities: [{ name: 'x' }, { note: 'y' }] }, root, root)).toEqual(['entities[1].name']);
});

test('a required field that has a default need not be typed, also inside of lists', () => {
  const schema = {
    type: 'object',
    properties: {
      unit: { type: 'string', default: 'km' },
      note: { type: 'string', default: 'left alone' },
      stops: {
        type: 'array',
        items: {
          type: 'object',
          properties: { at: { type: 'number', default: 0 }, name: { type: 'string' } },
          required: ['at', 'name'],
        },
      },
    },
    required: ['unit', 'stops'],
  };
  const whole = withDefaults({ stops: [{ name: 'x' }, { at: 2 }] }, schema, schema);
  expect(whole).toEqual({ unit: 'km', stops: [{ name: 'x', at: 0 }, { at: 2 }] });
  expect(missing(whole, schema, schema)).toEqual(['stops[1].name']);
});

test('alternatives of one constant each are a choice by their titles', () => {
  const schema = { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] };
  expect(shapeOf(schema, schema)).toEqual({
    kind: 'choice',
    options: [
      { value: 'r', label: 'Red' },
      { value: 'g', label: 'g' },
    ],
  });
});

test('a value that its control cannot show is shown as JSON: what is not seen is not sent', () => {
  expect(shows({ kind: 'string' }, 5)).toBe(false);
  expect(shows({ kind: 'boolean' }, 'yes')).toBe(false);
  expect(shows({ kind: 'choice', options: [{ value: 'a', label: 'a' }] }, 'b')).toBe(false);
  expect(shows({ kind: 'string' }, 'text')).toBe(true);
});
