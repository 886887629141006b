import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrust } from '.';

test('a folder is trusted once the person said so, by whatever way it is reached, also after a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  const path = join(folder, 'data', 'trust.json');
  mkdirSync(join(folder, 'vault'));
  symlinkSync(join(folder, 'vault'), join(folder, 'link'), 'junction');
  const trust = createTrust(path, () => expect.unreachable());
  expect(trust.isTrusted(join(folder, 'vault'))).toBe(false);
  trust.setTrusted(join(folder, 'link'), true);
  const again = createTrust(path, () => expect.unreachable());
  expect(again.isTrusted(join(folder, 'vault'))).toBe(true);
  expect(again.isTrusted(folder)).toBe(false);
  again.setTrusted(join(folder, 'vault'), false);
  expect(createTrust(path, () => expect.unreachable()).isTrusted(join(folder, 'vault'))).toBe(false);
});

test('consent is to what was shown, and outlasts a restart; other words under the same name are not agreed to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  const path = join(folder, 'trust.json');
  const thing = { kind: 'server' as const, name: 'a', lines: ['node a.js'], fingerprint: 'one' };
  const trust = createTrust(path, () => expect.unreachable());
  expect(trust.pinsOf(folder)).toBeNull();
  trust.setTrusted(folder, true);
  trust.pinsOf(folder)?.agree([thing]);
  const pins = createTrust(path, () => expect.unreachable()).pinsOf(folder);
  expect(pins?.isAgreed(thing)).toBe(true);
  expect(pins?.isAgreed({ ...thing, fingerprint: 'two' })).toBe(false);
  expect(pins?.agreedLines(thing)).toEqual(['node a.js']);
  expect(pins?.agreedLines({ kind: 'hook', name: 'a' })).toBeNull();
  pins?.agree([{ ...thing, fingerprint: 'two', lines: ['node b.js'] }]);
  // The way back is a change as well.
  expect(pins?.isAgreed(thing)).toBe(false);
});

test('a folder of the older list stays trusted, and what it brings is asked for once more', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  writeFileSync(join(folder, 'trust.json'), JSON.stringify({ version: 1, folders: [folder] }));
  const trust = createTrust(join(folder, 'trust.json'), () => expect.unreachable());
  expect(trust.isTrusted(folder)).toBe(true);
  expect(trust.pinsOf(folder)?.isAgreed({ kind: 'hook', name: 'x', lines: [], fingerprint: 'x' })).toBe(
    false,
  );
});

test('a damaged list means that nothing is trusted, and is said', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'trust-')), 'trust.json');
  writeFileSync(path, '["/"]');
  const reasons: string[] = [];
  expect(createTrust(path, ({ reason }) => reasons.push(reason)).isTrusted('/')).toBe(false);
  expect(reasons).toHaveLength(1);
});
