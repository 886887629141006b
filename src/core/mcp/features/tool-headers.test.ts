import { expect, test } from 'vitest';
import { headersFor, toolHeaders } from './tool-headers';

const withHeader = (header: unknown, more: object = {}) => ({
  type: 'object',
  properties: { place: { type: 'string', 'x-mcp-header': header, ...more } },
});

test('declared parameters go as headers, what a header cannot carry in Base64', () => {
  const declared = toolHeaders({
    type: 'object',
    properties: {
      place: { type: 'string', 'x-mcp-header': 'Place' },
      deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
      flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
    },
  });
  expect(declared).toBeInstanceOf(Array);
  if ('code' in declared) return;
  expect(headersFor(declared, { place: 'here', deep: { count: 3 }, flag: false })).toEqual({
    'Mcp-Param-Place': 'here',
    'Mcp-Param-Count': '3',
    'Mcp-Param-Flag': 'false',
  });
  for (const place of ['a\r\nX-Evil: 1', 'Grüße', ' a', '', '=?base64?YQ==?='])
    expect(headersFor(declared, { place })['Mcp-Param-Place']).toBe(
      `=?base64?${Buffer.from(place).toString('base64')}?=`,
    );
  expect(headersFor(declared, { place: null })).toEqual({});
});

const wrong: Record<string, unknown> = {
  'a line break': withHeader('a\r\nb'),
  'no name': withHeader(''),
  'a number': withHeader(3),
  'an object as its value': withHeader('A', { type: 'object' }),
  'a place in a list': {
    type: 'object',
    properties: { list: { items: { type: 'string', 'x-mcp-header': 'A' } } },
  },
  'a place in a choice': { type: 'object', anyOf: [withHeader('A')] },
  'the same name twice': {
    type: 'object',
    properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
  },
};
for (const [what, schema] of Object.entries(wrong)) {
  test(`a declaration with ${what} makes the tool unusable`, () => {
    expect(toolHeaders(schema)).toMatchObject({ code: expect.stringMatching(/^header-/) });
  });
}
