import { expect, test } from 'vitest';
import { expandTemplate, variablesOf } from './uri-template';

test('the places of an address pattern are found and filled, with what would break the address encoded', () => {
  expect(variablesOf('memo://{day}/{+path}{?from,to}')).toEqual(['day', 'path', 'from', 'to']);
  expect(expandTemplate('memo://{day}', { day: 'a b/c' })).toBe('memo://a%20b%2Fc');
  expect(expandTemplate('file:///{+path}', { path: 'a/b c' })).toBe('file:///a/b%20c');
  expect(expandTemplate('x://a{?from,to}', { from: '1', to: '2' })).toBe('x://a?from=1&to=2');
  expect(expandTemplate('x://a{?from,to}', {})).toBe('x://a');
  expect(expandTemplate('x://a{/b,c}', { b: '1', c: '2' })).toBe('x://a/1/2');
});
