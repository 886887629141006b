import { expect, test } from 'vitest';
import { createChallenge } from './challenge';

const refusal = (status: number, parameters: string) =>
  new Response(null, { status, headers: { 'www-authenticate': `Bearer ${parameters}` } });

const words = (scope: string | undefined) => scope?.split(' ').sort();

test('a refusal says what is asked for, and where; what the entry names is asked for as well', () => {
  const challenge = createChallenge('files');
  challenge.note(refusal(401, 'scope="read", resource_metadata="https://a.example/meta"'));
  expect(words(challenge.scope())).toEqual(['files', 'read']);
  expect(challenge.resourceMetadata()?.href).toBe('https://a.example/meta');
});

test('a call that needs more adds to it, and keeps where to ask; a plain refusal begins anew', () => {
  const challenge = createChallenge(undefined);
  challenge.note(refusal(401, 'scope="read", resource_metadata="https://a.example/meta"'));
  challenge.note(refusal(403, 'error="insufficient_scope", scope="write"'));
  expect(words(challenge.scope())).toEqual(['read', 'write']);
  expect(challenge.resourceMetadata()?.href).toBe('https://a.example/meta');
  challenge.note(refusal(401, 'scope="list"'));
  expect(words(challenge.scope())).toEqual(['list']);
});

test('what no sign-in would change asks for none', () => {
  const challenge = createChallenge(undefined);
  challenge.note(refusal(403, 'error="forbidden", scope="write"'));
  challenge.note(refusal(500, 'scope="write"'));
  expect(challenge.scope()).toBeUndefined();
});

test('what was granted is asked for again, until the person signs out', () => {
  const challenge = createChallenge('files');
  challenge.ask('read');
  expect(words(challenge.askedScope())).toEqual(['files', 'read']);
  challenge.ask('write');
  expect(words(challenge.askedScope())).toEqual(['files', 'read', 'write']);
  challenge.forgetAsked();
  expect(words(challenge.scope())).toEqual(['files']);
});
