import { expect, test } from 'vitest';
import { fileExtension, printPart } from '../../../markdown';
import { createLog, cutTo } from '../../foundation';
import { noteParts, textOfParts } from './note-parts';

test.each([
  'image/exe',
  'image/x-desktop',
  'image/desktop',
  'image/html',
  'text/html',
  'image/md',
  'text/markdown',
  'image/bat',
  'audio/com',
  'image/lnk',
  'image/svg+xml',
  'application/x-sh',
  'application/octet-stream',
  'image/__proto__',
  '__proto__',
  'constructor',
  '',
])('a file that calls itself %s is written as bytes that nothing opens', async (mediaType) => {
  const written: string[] = [];
  const writeBytes = async (path: string) => {
    written.push(path);
    return { path };
  };
  const to = { vault: { writeBytes }, folder: 'attachments', limit: 1000, log: createLog(() => undefined) };
  const part = { kind: 'image', mediaType, base64: 'AQID' } as const;
  const { parts } = await noteParts({ parts: [part], at: 0 }, 'shot', to);
  expect(written).toEqual([expect.stringMatching(/^attachments\/shot-[\d-]+\.bin$/)]);
  expect(parts[0]?.kind).toBe('file');
});

test('pictures, sounds and plain data keep their names', () => {
  expect(['image/PNG', 'image/jpeg', 'audio/x-wav', 'text/plain; charset=utf-8'].map(fileExtension)).toEqual([
    'png',
    'jpg',
    'wav',
    'txt',
  ]);
});

const image = { kind: 'image', mediaType: 'image/png', base64: 'AQID' } as const;
const link = { kind: 'link', uri: 'https://x.example/', name: 'x', mediaType: null } as const;

test.each([
  ['pictures', Array.from({ length: 5000 }, () => image)],
  ['links', Array.from({ length: 5000 }, () => link)],
  ['texts of nothing', Array.from({ length: 100_000 }, () => ({ kind: 'text', text: '' }) as const)],
  [
    'all of them',
    Array.from({ length: 3000 }, () => [image, link, { kind: 'text', text: 'a' } as const]).flat(),
  ],
])(
  'of a result of thousands of %s a note keeps what a person can look at, and says what is missing',
  async (_, parts) => {
    let written = 0;
    const writeBytes = async (path: string) => {
      written++;
      return { path };
    };
    const to = { vault: { writeBytes }, folder: 'attachments', limit: 1000, log: createLog(() => undefined) };
    const kept = await noteParts({ parts, at: 0 }, 'shot', to);
    expect(written).toBeLessThanOrEqual(51);
    expect(kept.parts.length).toBeLessThanOrEqual(102);
    expect(kept.truncated).toBe(true);
    expect(textOfParts(kept.parts).length).toBeLessThan(10_000);
  },
);

const long = 'n'.repeat(5000);
test('a file that has not all of a result in it is not called the whole of it', async () => {
  const writeBytes = async (path: string) => ({ path });
  const to = { vault: { writeBytes }, folder: 'attachments', limit: 1000, log: createLog(() => undefined) };
  const named = async (text: string) =>
    textOfParts((await noteParts({ parts: [{ kind: 'text', text }], at: 0 }, 'find', to)).parts);
  expect(await named('a\n'.repeat(5_000))).toContain('The whole result: ');
  expect(await named(cutTo('a\n'.repeat(5_000), 9_000))).toContain('The result, cut: ');
});

test.each([
  ['a name', [{ ...link, name: long }]],
  ['a name of line breaks', [{ ...link, name: '\n'.repeat(990) }]],
  ['an address', [{ ...link, uri: `https://x.example/${long}` }]],
  ['the address of a resource', [{ kind: 'resource', uri: `x:${long}`, mediaType: null, text: '' } as const]],
  ['many links', Array.from({ length: 40 }, () => ({ ...link, name: 'n'.repeat(100) }))],
  ['links beside a text', [{ kind: 'text', text: 'a '.repeat(490) } as const, link, link, link]],
])('the limit of a result counts what %s brings', async (_, parts) => {
  const files: string[] = [];
  const writeBytes = async (path: string, bytes: Uint8Array) => {
    files.push(Buffer.from(bytes).toString());
    return { path };
  };
  const to = { vault: { writeBytes }, folder: 'attachments', limit: 1000, log: createLog(() => undefined) };
  const kept = await noteParts({ parts, at: 0 }, 'find', to);
  expect(kept.truncated).toBe(true);
  expect(kept.parts.map(printPart).join('\n').length).toBeLessThan(1200);
  expect(files).toHaveLength(1);
});
