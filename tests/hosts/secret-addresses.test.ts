import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/core/app';
import { createCommandLine } from './command-line';

const key = 'sk-Zq7secretOfMine42';
let host = '';
const arrived: string[] = [];
const server = createServer((request, response) => {
  arrived.push(request.url ?? '');
  response.end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ollamaOf(address: string) {
  const { run, printed } = createCommandLine({ createApp }, { environment: { OLLAMA_HOST: address } });
  await run('doctor', '--json');
  const findings = JSON.parse(printed.out) as { subject: string; level: string; found: string }[];
  return { printed, ollama: findings.find(({ subject }) => subject === 'Ollama') };
}

test.each([
  ['a password', () => `http://me:${key}@${host}`],
  ['a password without a scheme', () => `me:${key}@${host}`],
  ['a password with backslashes', () => `http:\\\\me:${key}@${host}`],
  ['a query', () => `http://${host}/?api_key=${key}`],
  ['a key as the fragment', () => `http://${host}/#${key}`],
])('doctor sends nothing to an OLLAMA_HOST with %s, and shows it without that', async (_form, address) => {
  arrived.length = 0;
  const { printed, ollama } = await ollamaOf(address());
  expect(printed.out + printed.err).not.toContain(key);
  expect(ollama).toMatchObject({ level: 'problem', found: expect.stringContaining('is not used') });
  expect(arrived).toEqual([]);
});

test('doctor asks an OLLAMA_HOST without secrets, and shows it whole', async () => {
  arrived.length = 0;
  const { ollama } = await ollamaOf(host);
  expect(ollama).toMatchObject({ level: 'ok', found: `answers at http://${host}` });
  expect(arrived).toContain('/api/version');
});
