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

test('a damaged list means that nothing is trusted, and is said', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'trust-')), 'trust.json');
  writeFileSync(path, '["/"]');
  const reasons: string[] = [];
  expect(createTrust(path, (reason) => reasons.push(reason)).isTrusted('/')).toBe(false);
  expect(reasons).toHaveLength(1);
});
