import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentChoices, argumentRows } from '../../src/renderer/features/editor/reading/tool-arguments';
import { fieldsOf as askFields } from '../../src/renderer/features/elicitation/fields';
import { fieldsOf, shapeOf } from '../../src/renderer/features/tools/shape';

const word = fc.constantFrom('a', 'b', 'c', 'toString', 'required', '$ref', 'constructor');
const values = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 });
const described = {
  description: fc.constantFrom('', 'What it is.', 7),
  title: fc.constantFrom('T', '', null),
};

/** One property in any of the forms in which servers write them, those that say nothing among them. */
const property = fc.oneof(
  fc.constantFrom<unknown>(true, false, null, 'text', 5, []),
  fc.record({ type: fc.constantFrom('string', 'integer', 'boolean', 'object', 'null'), ...described }),
  fc.record({ type: fc.constantFrom(['integer', 'null'], ['string', 'number'], []), ...described }),
  fc.record({ enum: values, enumNames: fc.option(values), ...described }),
  values.map((all) => ({ oneOf: all.map((one) => ({ const: one, title: one.toUpperCase() })) })),
  fc.record({ const: fc.constantFrom('x', 'y'), ...described }),
  fc.record({ anyOf: fc.constantFrom([{ type: 'string' }, { type: 'null' }], [{ type: 'number' }], []) }),
  fc.record({ type: fc.constant('array'), items: fc.constantFrom({ $ref: '#' }, { enum: ['x'] }, true) }),
  fc.record({ $ref: fc.constantFrom('#/$defs/d', '#/$defs/loop', '#/properties/a', '#/no', 'http://x') }),
);
const schema = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.oneof(fc.dictionary(word, property), fc.constantFrom<unknown>(null, [], 'text')),
    required: fc.oneof(fc.array(fc.oneof(word, fc.constant(5))), fc.constant('a')),
    $defs: fc.constant({ d: { enum: ['x'], description: 'Of d.' }, loop: { $ref: '#/$defs/loop' } }),
  },
  { requiredKeys: ['type', 'properties'] },
);

const byName = <T extends { readonly name: string }>(rows: readonly T[]) =>
  rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
const facts = (rows: readonly { name: string; required: boolean; description: string }[]) =>
  byName(rows).map(({ name, required, description }) => ({ name, required, description }));

test('what one reader shows of a schema, all show: each property, whether it is needed, what it is', () => {
  fc.assert(
    fc.property(schema, (given) => {
      const { properties } = given;
      const isObject = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
      const form = facts(fieldsOf(given, given));
      expect(form.map(({ name }) => name)).toEqual(isObject ? Object.keys(properties).sort() : []);
      expect(facts(askFields(given))).toEqual(form);
      expect(facts(argumentRows(given))).toEqual(form);
    }),
    { numRuns: 2000 },
  );
});

test('what one reader offers to choose from, all offer', () => {
  fc.assert(
    fc.property(schema, (given) => {
      const asked = new Map(askFields(given).map((field) => [field.name, field]));
      for (const { name, schema: own } of fieldsOf(given, given)) {
        const shape = shapeOf(own, given);
        const choices = shape.kind === 'choice' ? shape.options : null;
        expect(argumentChoices(given, name)).toEqual(choices?.map(({ value }) => value) ?? null);
        if (choices) expect(asked.get(name)).toMatchObject({ kind: 'choice', options: choices });
      }
    }),
    { numRuns: 2000 },
  );
});
