import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTrust } from '../trust';

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

test.each([
  ['a list of paths', 1, (folder: string): unknown => folder],
  ['paths with what was agreed to', 2, (folder: string): unknown => ({ path: folder, agreed: [] })],
])(
  'a folder of an older list is asked for once more, and it is said that one of its path was trusted: %s',
  (_name, version, entry) => {
    const folder = mkdtempSync(join(tmpdir(), 'trust-'));
    const path = join(folder, 'trust.json');
    writeFileSync(path, JSON.stringify({ version, folders: [entry(folder)] }));
    const trust = createTrust(path, () => expect.unreachable());
    expect([trust.isTrusted(folder), trust.wasTrusted(folder), trust.pinsOf(folder)]).toEqual([
      false,
      true,
      null,
    ]);
    trust.setTrusted(folder, true);
    expect(createTrust(path, () => expect.unreachable()).isTrusted(folder)).toBe(true);
  },
);

test('trust is of the folder: it goes with it where it is moved, and what comes to its path has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  const [vault, moved] = [join(folder, 'vault'), join(folder, 'moved')];
  const thing = { kind: 'server' as const, name: 'a', lines: ['node a.js'], fingerprint: 'one' };
  mkdirSync(vault);
  const trust = createTrust(join(folder, 'trust.json'), () => expect.unreachable());
  trust.setTrusted(vault, true);
  const pins = trust.pinsOf(vault);
  pins?.agree([thing]);
  renameSync(vault, moved);
  mkdirSync(vault);
  expect([trust.isTrusted(moved), trust.pinsOf(moved)?.isAgreed(thing)]).toEqual([true, true]);
  expect([trust.isTrusted(vault), trust.wasTrusted(vault)]).toEqual([false, true]);
  // Also by whoever asked before it was moved.
  expect(pins?.isAgreed(thing)).toBe(false);
});

test('what a person made in a folder is agreed to without trust in all else of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trust-'));
  const path = join(folder, 'trust.json');
  const thing = { kind: 'hook' as const, name: 'a', lines: ['on: saved'], fingerprint: 'one' };
  createTrust(path, () => expect.unreachable())
    .madeIn(folder)
    .agree([thing]);
  const again = createTrust(path, () => expect.unreachable());
  expect(again.madeIn(folder).isAgreed(thing)).toBe(true);
  expect(again.madeIn(folder).isAgreed({ ...thing, fingerprint: 'two' })).toBe(false);
  expect([again.isTrusted(folder), again.wasTrusted(folder), again.pinsOf(folder)]).toEqual([
    false,
    false,
    null,
  ]);
  again.setTrusted(folder, true);
  expect(again.pinsOf(folder)?.isAgreed(thing)).toBe(true);
  again.setTrusted(folder, false);
  expect(again.madeIn(folder).isAgreed(thing)).toBe(false);
});

test('a damaged list means that nothing is trusted, and is said', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'trust-')), 'trust.json');
  writeFileSync(path, '["/"]');
  const reasons: string[] = [];
  expect(createTrust(path, ({ reason }) => reasons.push(reason)).isTrusted('/')).toBe(false);
  expect(reasons).toHaveLength(1);
});
