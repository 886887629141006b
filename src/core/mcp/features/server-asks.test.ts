import { expect, onTestFinished, test, vi } from 'vitest';
import { cpuTime } from '../../../../tests/support/cpu-time';
import { ownPrograms } from '../../../../tests/support/test-programs';
import { systemClock } from '../../foundation';
import { elicit } from '../client/server-requests';
import { readSampling } from './sampling';
import { createAsks } from './server-asks';

const { signal } = new AbortController();
const long = '\u007f'.repeat(2_000_000);
const many = Array.from({ length: 100_000 }, (_, at) => at);

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

test('a hundred thousand questions at once are declined at once, and so is who goes on', async () => {
  let now = 0;
  const clock = { ...systemClock, now: () => now };
  const asks = createAsks({ clock, schemas: ownPrograms().schemas, openExternal: async () => undefined });
  const watching = new AbortController();
  onTestFinished(() => watching.abort());
  void asks.follow(watching.signal)[Symbol.asyncIterator]().next();
  const question = (serverId: string) =>
    asks.ask(
      { serverId, serverName: serverId, ask: { kind: 'url', message: '', url: 'https://a', host: 'a' } },
      watching.signal,
    );
  const answers: Promise<unknown>[] = [];
  expect(cpuTime(() => answers.push(...many.map(() => question('bad'))))).toBeLessThan(1_000);
  expect(asks.waiting.get()).toHaveLength(3);
  expect(await Promise.all(answers.slice(3))).toEqual(many.slice(3).map(() => ({ action: 'decline' })));
  for (const { id } of asks.waiting.get()) await asks.answer(id, { action: 'decline' });
  now = 59_000;
  expect(await question('bad')).toEqual({ action: 'decline' });
  now += 60_001;
  void question('bad').catch(() => undefined);
  void question('good').catch(() => undefined);
  expect(asks.waiting.get().map(({ serverId }) => serverId)).toEqual(['bad', 'good']);
});
