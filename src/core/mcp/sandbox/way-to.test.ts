import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ledAway } from './way-to';

test('a path that a link in the vault, or in what the program may write, takes elsewhere is told; others are not', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'interlinear-way-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const at = (path: string) => join(top, path);
  for (const path of ['vault/in', 'outside/deep', 'shared', 'mine']) mkdirSync(at(path), { recursive: true });
  symlinkSync(at('outside'), at('vault/out'));
  symlinkSync('../outside', at('vault/relative'));
  symlinkSync(at('vault/out'), at('vault/twice'));
  symlinkSync(at('nothing'), at('vault/dangling'));
  symlinkSync(at('vault/circle'), at('vault/circle'));
  symlinkSync(at('vault/in'), at('vault/inner'));
  symlinkSync(at('outside'), at('shared/out'));
  symlinkSync(at('outside'), at('mine/out'));
  symlinkSync(at('vault'), at('vault of another name'));
  const led = (path: string, vault = 'vault') =>
    ledAway([at(path)], { vault: at(vault), written: [at('shared')] });

  for (const path of ['out', 'relative', 'twice']) expect(led(`vault/${path}`)?.end).toBe(at('outside'));
  expect(led('vault/out/deep')?.end).toBe(at('outside/deep'));
  expect(led('vault/out/not yet')?.end).toBe(at('outside/not yet'));
  expect(led('vault/dangling')?.end).toBe(at('nothing'));
  expect(led('vault/circle')?.end).toBe(null);
  expect(led('shared/out')?.end).toBe(at('outside'));
  expect(led('vault of another name/out', 'vault of another name')?.end).toBe(at('outside'));
  for (const path of ['vault', 'vault/in', 'vault/inner', 'vault/not yet', 'shared', 'outside', 'mine/out'])
    expect(led(path)).toBe(null);
  expect(led('vault of another name', 'vault of another name')).toBe(null);
});

test('what the program may write is not where the link in its place leads', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'interlinear-way-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const path of ['vault', 'outside']) mkdirSync(join(top, path));
  const out = join(top, 'vault/out');
  symlinkSync(join(top, 'outside'), out);
  const led = ledAway([out], { vault: join(top, 'vault'), written: [out] });
  expect(led).toEqual({ path: out, end: join(top, 'outside') });
});
