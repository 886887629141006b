import { expect, test } from 'vitest';
import { fileExtension } from '../../markdown';
import { createLog } from '../foundation';
import { noteParts } from './note-parts';

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
  expect(parts[0]?.kind).toBe('link');
});

test('pictures, sounds and plain data keep their names', () => {
  expect(['image/PNG', 'image/jpeg', 'audio/x-wav', 'text/plain; charset=utf-8'].map(fileExtension)).toEqual([
    'png',
    'jpg',
    'wav',
    'txt',
  ]);
});
