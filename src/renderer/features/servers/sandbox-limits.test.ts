import { expect, test } from 'vitest';
import { isEntry, limitsOfDraft, withAllowed, withoutEntry } from './sandbox-limits';

const none = { read: [], write: [], hosts: [] };

test('what was refused is allowed beside what was allowed before, once', () => {
  const one = withAllowed(none, { kind: 'host', host: 'example.org' });
  const two = withAllowed(one, { kind: 'write', path: '/a' });
  expect(withAllowed(two, { kind: 'host', host: 'example.org' })).toEqual({
    read: [],
    write: ['/a'],
    hosts: ['example.org'],
  });
  expect(withoutEntry(two, 'hosts', 'example.org')).toEqual({ ...none, write: ['/a'] });
});

test.each([
  ['example.org', true],
  ['*.example.org:443', true],
  ['*', true],
  ['10.0.0.5', true],
  ['https://example.org', false],
  ['*.org', false],
  ['a b.org', false],
])('a host is a name, no address of a page and not half of the internet: %s', (host, isOne) => {
  expect(isEntry('hosts', host)).toBe(isOne);
});

test('a program that is added to a vault is in a sandbox before anybody says so, one of a person is not', () => {
  const draft = { name: 'a', command: 'node' };
  expect(limitsOfDraft(draft, 'vault')).toEqual({ read: [`\${vault}`], write: [`\${vault}`], hosts: [] });
  expect(limitsOfDraft(draft, 'user')).toBeNull();
  expect(limitsOfDraft({ ...draft, sandbox: false }, 'vault')).toBeNull();
  expect(limitsOfDraft({ ...draft, sandbox: { hosts: ['*'] } }, 'user')).toEqual({ ...none, hosts: ['*'] });
  expect(limitsOfDraft({ name: 'b', url: 'https://example.org' }, 'vault')).toBeNull();
});
