import { expect, test, vi } from 'vitest';
import { elicit } from '../client/server-requests';
import { readSampling } from './sampling';

const { signal } = new AbortController();
const long = '\u007f'.repeat(2_000_000);

test('a form that is too long to be shown is refused and not asked', async () => {
  const ask = vi.fn();
  const requestedSchema = { type: 'object', properties: { a: { type: 'string', title: long } } } as const;
  const form = elicit({ mode: 'form', message: 'Which?', requestedSchema }, ask, signal);
  await expect(form).rejects.toThrow('characters');
  expect(ask).not.toHaveBeenCalled();
});

test('an address that is longer than any is not offered', async () => {
  const ask = vi.fn();
  const url = `https://x.example/${'a'.repeat(10_000)}`;
  const page = elicit({ mode: 'url', message: 'Open?', url, elicitationId: 'e' }, ask, signal);
  await expect(page).rejects.toThrow('too long');
  expect(ask).not.toHaveBeenCalled();
});

test('a question for the model that is too long to be looked at is refused; a large picture is none', () => {
  const sampling = (content: object) =>
    readSampling({ maxTokens: 5, messages: [{ role: 'user', content }] } as Parameters<
      typeof readSampling
    >[0]);
  expect(() => sampling({ type: 'text', text: long })).toThrow('more than 1,000,000 characters');
  const data = 'A'.repeat(4_000_000);
  expect(sampling({ type: 'image', mimeType: 'image/png', data }).messages).toHaveLength(1);
});
