import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ensureBuilt, startCore } from '../whole/support/core';

beforeAll(ensureBuilt, 120_000);

test.skipIf(process.platform === 'win32')(
  'an app that is ended while the login shell still starts does not wait for it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leaving-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [data, vault, shell] = [join(folder, 'data'), join(folder, 'vault'), join(folder, 'shell')];
    for (const path of [data, vault]) mkdirSync(path);
    writeFileSync(shell, `#!/bin/sh\ntouch '${folder}/asked'\nsleep 600\n`, { mode: 0o755 });
    const core = startCore(vault, data, { SHELL: shell });
    await core.address;
    await expect.poll(() => existsSync(join(folder, 'asked'))).toBe(true);
    const before = performance.now();
    await core.end('SIGTERM');
    expect(performance.now() - before).toBeLessThan(20_000);
  },
);
