import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccess } from './access';

test.each(['browsers', 'browsers/sessions', 'browsers/invitations'])(
  'a file in the place of %s is set aside, and browsers can be invited again',
  (name) => {
    const data = mkdtempSync(join(tmpdir(), 'access-'));
    const path = join(data, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'not a folder');
    const access = createAccess(data);
    expect(access.invite()).not.toBe('');
    expect(access.sessions()).toEqual([]);
    const [aside] = readdirSync(dirname(path)).filter((other) => other.includes('.damaged-'));
    expect(readFileSync(join(dirname(path), aside ?? ''), 'utf8')).toBe('not a folder');
  },
);

test('where the data folder cannot be written it is said which one and why', () => {
  const data = join(mkdtempSync(join(tmpdir(), 'access-')), 'data');
  writeFileSync(data, 'not a folder');
  expect(() => createAccess(join(data, 'inside'))).toThrow(/No browser can be let in.*data/s);
});
