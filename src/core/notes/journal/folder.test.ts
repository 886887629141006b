import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimJournalFolder } from './folder';

function claim(data: string): { path: string; release(): void } {
  const { current, release } = claimJournalFolder(
    data,
    (reason) => expect.unreachable(reason),
    (file) => expect.unreachable(file),
  );
  return { path: current() ?? expect.unreachable(), release };
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('two programs on one data folder never write to the same journals', () => {
  const data = dataFolder();
  const first = claim(data);
  const second = claim(data);
  expect(second.path).not.toBe(first.path);
  first.release();
  const third = claim(data);
  expect(third.path).toBe(first.path);
  second.release();
  third.release();
});

test('journals of a program that died are taken over, those of one that lives are left alone', () => {
  const data = dataFolder();
  const [app, living, dead] = [claim(data), claim(data), claim(data)];
  writeFileSync(join(living.path, 'living.journal'), '');
  writeFileSync(join(dead.path, 'dead.journal'), '');
  dead.release();
  app.release();
  const next = claim(data);
  const journals = readdirSync(next.path).filter((name) => name.endsWith('.journal'));
  expect(journals).toEqual(['dead.journal']);
  living.release();
  next.release();
});
