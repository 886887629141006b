import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ResourceResult } from '../../src/core/chat/question/resources';
import type { Inert } from '../../src/core/foundation';
import { inert } from '../../src/core/foundation';
import type { Mcp } from '../../src/core/mcp';
import type { Views } from '../../src/core/views';

const root = resolve(import.meta.dirname, '../..');

test('words of others that go with a question are of the type that only one door gives', () => {
  const words: Inert = inert('plain');
  const views: ReturnType<Views['words']> = [{ serverName: words, tool: words, text: words }];
  const instructions: ReturnType<Mcp['instructions']> = [{ serverName: 'a', text: words }];
  const lent: ResourceResult = { kind: 'read', text: words, attachments: [] };
  // @ts-expect-error: a text that did not pass the door.
  const raw: Inert = 'raw';
  expect([views[0]?.text, instructions[0]?.text, lent.text]).toEqual(['plain', 'plain', 'plain']);
  expect(raw).toBe('raw');
});

test('nobody else says of a text that it passed the door', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => /\bas Inert\b/.test(readFileSync(join(root, 'src', name), 'utf8')));
  expect(files.map((name) => name.replaceAll('\\', '/'))).toEqual(['core/foundation/values/inert.ts']);
});
