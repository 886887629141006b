import { recordedBadly, withoutBadLines } from '../entities/done';
import { isSoundRecord, numbersName } from '../entities/numbers';
import { toFailure } from '../failures';
import { leftName, recordName } from '../files/commit';
import type { Store } from '../files/store';
import { entityFolders } from '../workspaces';
import { withKey } from './doctor';
import type { Finding } from './finding';

const inSettings = (name: string) => `.interlinear/${name}`;

/** What the app keeps beside the notes and can't be read as a whole. */
export async function damagedRecords(store: Store): Promise<readonly Finding[]> {
  const all: Finding[] = [];
  const add = (name: string, value: string, repair: Finding['repair']) =>
    all.push(
      withKey({ code: 'damaged_record', path: inSettings(name), id: null, field: null, value, repair }),
    );
  if (!isSoundRecord(await store.readSetting(numbersName)))
    add(numbersName, 'the highest ids that were given', { kind: 'rewrite' });
  const bad = recordedBadly(await store.readSetting(recordName));
  if (bad > 0) add(recordName, `${bad} of the batches that were done`, { kind: 'rewrite' });
  for (const path of new Set((await store.readSetting(leftName))?.split('\n').filter(Boolean))) {
    all.push(
      withKey({ code: 'half_undone', path, id: null, field: null, value: null, repair: { kind: 'rewrite' } }),
    );
  }
  try {
    await entityFolders(store);
  } catch (error) {
    add('workspaces.json', toFailure(error).hint ?? '', null);
  }
  return all;
}

/** Inside a change: the record of ids is written anew by that itself. */
export async function rewriteRecord(path: string, store: Store): Promise<void> {
  const left = (await store.readSetting(leftName))?.split('\n') ?? [];
  if (left.includes(path)) {
    await store.replaceSetting(leftName, left.filter((each) => each !== path).join('\n'));
  }
  if (path !== inSettings(recordName)) return;
  await store.replaceSetting(recordName, withoutBadLines((await store.readSetting(recordName)) ?? ''));
}
