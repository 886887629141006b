import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOpenForWriting } from './open-elsewhere';

test.skipIf(process.platform !== 'linux')(
  'a file counts as written while anybody has it open to write, in whatever way, and not while it is read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'note.md');
    writeFileSync(path, 'text');
    symlinkSync(path, join(folder, 'link.md'));
    const ways = { r: false, 'r+': true, a: true, w: true };
    for (const [flags, isWritten] of Object.entries(ways)) {
      const descriptor = openSync(path, flags);
      expect(await isOpenForWriting(path), flags).toBe(isWritten);
      expect(await isOpenForWriting(join(folder, 'link.md')), flags).toBe(isWritten);
      closeSync(descriptor);
    }
    expect(await isOpenForWriting(path)).toBe(false);
    expect(await isOpenForWriting(join(folder, 'gone.md'))).toBeNull();
  },
);
