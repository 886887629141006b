import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { extent } from '../support/extent';
import { ensureBuilt, startCore } from '../whole/support/core';

beforeAll(ensureBuilt, 120_000);

/** Every place in the data folder that the app reads or writes, in whatever host. */
const places = [
  'settings.json',
  'settings.json.last',
  'trust.json',
  'mcp.json',
  'interlinear.db',
  'interlinear.db-wal',
  'interlinear.db-shm',
  'interlinear.db-journal',
  'secrets.json',
  'secrets.key',
  'safe-storage.json',
  'window.json',
  'sign-ins.changed',
  'tools-paused',
  'instance.lock',
  'instance.lock-journal',
  'instance.json',
  'journals.lock',
  'journals-2',
  'journals/x.journal',
  'journals/y.journal.new',
  'kept',
  'logs/interlinear.log',
  'logs/interlinear.log.1',
  'browsers/place.json',
  `browsers/sessions/${'0'.repeat(16)}.json`,
  `browsers/invitations/${'0'.repeat(64)}`,
  'vault-server',
];
/** What stands in folders that are themselves something else. */
const folders = ['journals', 'kept', 'logs', 'browsers/sessions', 'browsers/invitations', 'vault-server'];

const kinds: Record<string, (path: string) => void> = {
  pipes: (path) => execFileSync('mkfifo', [path]),
  folders: (path) => mkdirSync(join(path, 'inner'), { recursive: true }),
  'links to a device without end': (path) => symlinkSync('/dev/zero', path),
  'links that lead nowhere': (path) => symlinkSync('nowhere/at all', path),
  'links in a circle': (path) => symlinkSync(path, path),
  'files of 600 MB'(path) {
    writeFileSync(path, '');
    truncateSync(path, 600 * 1024 * 1024);
  },
};

const rows = Object.keys(kinds)
  .flatMap((kind) => [[kind, 'every file', places] as const, [kind, 'every folder', folders] as const])
  .slice(0, extent(8, 12));

test.skipIf(process.platform === 'win32').each(rows)(
  '%s in the place of %s of the data folder: the app starts, writes its log, and ends',
  async (kind, _which, names) => {
    const folder = mkdtempSync(join(tmpdir(), 'strange-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [data, vault] = [join(folder, 'data'), join(folder, 'vault')];
    mkdirSync(vault);
    for (const name of names) {
      mkdirSync(dirname(join(data, name)), { recursive: true });
      kinds[kind]!(join(data, name));
    }
    const core = startCore(vault, data);
    await core.address;
    await core.end('SIGTERM');
    expect(existsSync(join(data, 'interlinear.db'))).toBe(true);
    expect(readFileSync(join(data, 'logs/interlinear.log'), 'utf8')).toContain('serving');
  },
);
