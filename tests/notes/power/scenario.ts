import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog, createObservable, systemClock } from '../../../src/core/foundation';
import { createNotes } from '../../../src/core/notes';
import { createVault } from '../../../src/core/vault';
import { createVersions } from '../../../src/core/versions';
import { makeFolders } from '../../../src/files';
import { createTrash } from '../../../src/node/trash';
import { createMemorySettings } from '../../support/in-memory';
import { record } from './record';

/** A life of notes of which all that the file system is asked for is recorded, and printed at its end. */
const [, , folder = ''] = process.argv;
const { log, say } = record(folder);
const [root, data] = [join(folder, 'vault'), join(folder, 'data')];
for (const path of [root, data, join(folder, 'share/Trash/files'), join(folder, 'share/Trash/info')])
  makeFolders(path);

const quiet = createLog(() => undefined);
const vault = createVault({
  log: quiet,
  clock: systemClock,
  trust: { isTrusted: () => true },
  moveToTrash: createTrash({
    dataFolder: data,
    environment: { XDG_DATA_HOME: join(folder, 'share') },
    now: () => new Date(),
  }),
});
const versions = createVersions({
  vault,
  notes: () => notes,
  runs: () => createObservable([]),
  settings: createMemorySettings({ versions: { interval: 1_000 } }).current,
  dataFolder: data,
  clock: systemClock,
  log: quiet,
  onTrouble: () => undefined,
  onTroubleOver: () => undefined,
});
const notes = createNotes({
  vault,
  dataFolder: data,
  log: quiet,
  clock: systemClock,
  observer: versions.observer,
});
const journals = join(data, 'journals');

/** Resolves once the journal is on disk as it is now, its name included: by itself, within moments. */
async function journaled(): Promise<void> {
  const from = log.length;
  const isSafe = () => {
    const named = log.findLastIndex((op) => op.kind === 'rename' && op.to.startsWith(journals));
    const files = log.flatMap((op) => (op.kind === 'make' && op.path.startsWith(journals) ? [op.id] : []));
    const isSynced = log.some((op) => op.kind === 'synced' && op.id === files.at(-1) && op.since >= from);
    const isNamed = log.some((op) => op.kind === 'folder-synced' && op.path === journals && op.since > named);
    return isSynced && isNamed;
  };
  while (!isSafe()) await pause(5);
}

let marks = 0;
async function life(name: string, end: 'trash' | 'rename'): Promise<void> {
  const path = `${name}.md`;
  await vault.create(path, `‹${name}›\n`);
  say(`safe ${name}`);
  const { session, release } = await notes.hold(path);
  const type = (length = 0) => {
    const mark = `${name}m${marks++}`;
    session.edit('me', { from: 0, insert: `‹${mark}›${'.'.repeat(length)}\n` });
    return mark;
  };
  const first = type();
  await journaled();
  say(`safe ${first}`);
  for (let time = 0; time < 3; time++) {
    const mark = type(time * 6_000);
    if (time === 1) type();
    await session.save();
    say(`safe ${mark}`);
  }
  // Beyond the limit of a journal: it is begun anew.
  for (let length = 0; length < 5; length++) {
    session.edit('me', { from: session.text().length, insert: '.'.repeat(1024 * 1024) });
    session.edit('me', { from: session.text().length - 1024 * 1024, to: session.text().length, insert: '' });
  }
  const beyond = type();
  await session.save();
  say(`safe ${beyond}`);
  const last = type();
  await journaled();
  say(`safe ${last}`);
  const after = type();
  if (end === 'rename') {
    await vault.rename(path, `in/${name} moved.md`);
    say(`safe ${after}`);
    const moved = type();
    await journaled();
    say(`safe ${moved}`);
  } else await vault.trash(path);
  release();
}

await vault.open(root);
await life('One', 'rename');
await life('Two', 'trash');
await notes.close();
await versions.close();
await vault.close();
process.stdout.write(JSON.stringify(log));
