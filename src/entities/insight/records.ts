import { toFailure } from '../base/failures';
import { recordedBadly, trimmedDone, withoutBadLines } from '../change/done';
import { changeTimes } from '../entity/index/entity-index';
import { isSoundRecord, numbersName } from '../entity/model/numbers';
import { latestSeen, seenBadly } from '../entity/note/changed-at';
import { recordName } from '../store/batch/batch-record';
import { pathsNamedIn } from '../store/batch/journal';
import { isJournalAside, leftBadly, leftIn, leftName, printLeft } from '../store/batch/undo-record';
import { ownPath } from '../store/records/own-path';
import { type OwnRecord, textOf } from '../store/records/own-records';
import type { Store } from '../store/store';
import { entityFolders, workspacesName } from '../store/workspaces';
import { withKey } from './doctor';
import type { Finding, Repair } from './finding';
import { pathWords } from './finding-words';

/** What the app keeps beside the notes and can't be read as a whole. */
export async function damagedRecords(store: Store): Promise<readonly Finding[]> {
  const all: Finding[] = [];
  const add = (path: string, value: string, repair: Repair | null) =>
    all.push(withKey({ code: 'damaged_record', path, id: null, field: null, value, repair }));
  const obstacles = await store.obstacles(Object.keys(contents), [workspacesName]);
  for (const { path, why, aside } of obstacles)
    add(path, `${why}${forgets(path, aside)}`, aside === null ? null : { kind: 'rename', to: aside });
  const obstaclePaths = new Set(obstacles.map(({ path }) => path));
  for (const [name, what] of Object.entries(contents)) {
    const why = what(await store.readRecord(name));
    if (why !== null && !obstaclePaths.has(ownPath(name))) add(ownPath(name), why, { kind: 'rewrite' });
  }
  for (const path of await leftPaths(store)) {
    const about = isJournalAside(path)
      ? ({ code: 'half_done', value: await namedIn(path, store) } as const)
      : ({ code: 'half_undone', value: null } as const);
    all.push(withKey({ ...about, path, id: null, field: null, repair: { kind: 'rewrite' } }));
  }
  try {
    await entityFolders(store);
  } catch (error) {
    if (
      obstaclePaths.size === 0 ||
      ![...obstaclePaths].some((each) => ownPath(workspacesName).startsWith(each))
    )
      all.push(await badSetting(store, error));
  }
  return all;
}

const mostNamed = 20;

/** The notes that a journal names which could not be read as a whole; null where none can be told. */
async function namedIn(path: string, store: Store): Promise<string | null> {
  const paths = pathsNamedIn(textOf(await store.readRecord(nameOf(path))) ?? '');
  if (paths.length === 0) return null;
  const more = paths.length > mostNamed ? [`… (${paths.length} in all)`] : [];
  return [...paths.slice(0, mostNamed).map(pathWords), ...more].join(', ');
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** What is not known any more once it is set aside. */
const forgets = (path: string, aside: string | null) =>
  aside !== null && path === ownPath(recordName)
    ? ' Once it is set aside, a batch that is sent again is done again.'
    : '';

/** A person wrote it, and may only have missed a comma: it is set aside where that is asked for. */
async function badSetting(store: Store, error: unknown): Promise<Finding> {
  const { hint, message } = toFailure(error);
  const repair: Repair = { kind: 'rename', to: await store.asideName(workspacesName) };
  const finding = { id: null, field: null, value: hint ?? message, repair };
  return {
    ...withKey({ code: 'damaged_record', path: ownPath(workspacesName), ...finding }),
    withAll: false,
  };
}

/** What of a record can't be read; null where nothing is lost. */
const contents: Readonly<Record<string, (record: OwnRecord) => string | null>> = {
  [numbersName]: (record) => {
    const text = textOf(record);
    return text === null || isSoundRecord(text) ? null : 'the highest ids that were given';
  },
  [recordName]: (record) => {
    if (record.kind === 'end') return `it is far too long (${record.size} bytes)`;
    const bad = recordedBadly(textOf(record));
    return bad > 0 ? `${bad} of the batches that were done` : null;
  },
  [leftName]: leftBadly,
  [changeTimes]: (record) => {
    if (record.kind === 'end') return `it is far too long (${record.size} bytes)`;
    const bad = seenBadly(textOf(record));
    return bad > 0 ? `${bad} of the times at which entities were changed` : null;
  },
};

const leftPaths = async (store: Store) => leftIn(await store.readRecord(leftName));

/** Inside a change: the record of ids is written anew by that itself. */
export async function rewriteRecord(path: string, store: Store, now: Date): Promise<void> {
  const remains = await leftPaths(store);
  if (remains.includes(path)) {
    await store.replaceRecord(leftName, printLeft(remains.filter((each) => each !== path)));
  }
  if (path === ownPath(leftName)) await store.replaceRecord(leftName, printLeft(remains));
  if (path === ownPath(changeTimes)) {
    await store.replaceRecord(changeTimes, latestSeen(textOf(await store.readRecord(changeTimes)) ?? ''));
  }
  if (path !== ownPath(recordName)) return;
  const record = await store.readRecord(recordName);
  await store.replaceRecord(recordName, trimmedDone(record, now) ?? withoutBadLines(textOf(record) ?? ''));
}
