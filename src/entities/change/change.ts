import { type ToolFailure, toFailure } from '../base/failures';
import { revisionOf } from '../base/hash';
import type { FieldSource } from '../entity/handed-out/fields';
import type { Seen } from '../entity/handed-out/seen';
import type { Entities } from '../entity/index/entities';
import { changeTimes, type EntityIndex } from '../entity/index/entity-index';
import {
  highestOf,
  isSoundRecord,
  longestNumbers,
  type Numbers,
  numbersName,
  printNumbers,
  readNumbers,
} from '../entity/model/numbers';
import { trimmedSeen } from '../entity/note/changed-at';
import { bodyOf } from '../entity/note/note-text';
import { ChangedMeanwhile } from '../store/batch/changed-meanwhile';
import type { Draft } from '../store/batch/draft';
import { textOf } from '../store/records/own-records';
import type { Store } from '../store/store';
import { entityFoldersIfAsked } from '../store/workspaces';
import { createEdit, type Edit } from './edit';

/** What a change of entities needs of an open vault. */
export interface ChangeParts {
  readonly store: Store;
  readonly entityIndex: EntityIndex;
  readonly now: () => Date;
}

export function fieldSource(
  { store, entityIndex }: Pick<ChangeParts, 'store' | 'entityIndex'>,
  entities: Entities,
): FieldSource {
  return {
    children: entities.children,
    dependents: entities.dependents,
    text: async (entity) => {
      const document = await store.find(entity.path);
      // Words of another text than its fields are nothing that anybody could change it by.
      if (!document || revisionOf(document.text) !== entity.revision) throw new ChangedMeanwhile(entity.path);
      entityIndex.versions.keepBody(entity, bodyOf(document.text));
      return document.text;
    },
  };
}

const mostAttempts = 5;

/** Reads anew, as the folders are by then, where a note became another one, or was moved, while it was read. */
export async function readAtOnce<T>(
  entityIndex: Pick<EntityIndex, 'entities'>,
  read: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === mostAttempts) throw error;
      await entityIndex.entities('folders');
    }
  }
}

/**
 * Runs changes of entities alone among all writers; they are kept whole or not at all. What seems not to be there, by
 * events alone, may only have been moved in this moment: then the folders are looked into.
 */
export async function changeEntities<T>(
  parts: ChangeParts,
  work: (edit: Edit, draft: Draft) => Promise<T>,
  looking: 'events' | 'folders' = 'folders',
  seen?: Seen,
): Promise<T> {
  if (looking === 'folders') return changeLooked(parts, work, looking, seen);
  try {
    return await changeLooked(parts, work, looking, seen);
  } catch (error) {
    const { code, difference } = toFailure(error);
    if (code !== 'not_found' && (code !== 'conflict' || difference !== undefined)) throw error;
    return changeLooked(parts, work, 'folders', seen);
  }
}

async function changeLooked<T>(
  { store, entityIndex, now }: ChangeParts,
  work: (edit: Edit, draft: Draft) => Promise<T>,
  looking: 'events' | 'folders',
  seen: Seen | undefined,
): Promise<T> {
  let landed = () => {};
  const answer = await store.change(async (draft) => {
    const [entities, folders] = await Promise.all([entityIndex.present(), entityFoldersIfAsked(store)]);
    const { given, written, isSound, refusal } = await readGiven({ store, entityIndex });
    const paths = (await store.list()).map(({ path }) => path);
    const edit = createEdit({
      draft,
      entities,
      folders,
      versions: entityIndex.versions,
      seen,
      given,
      whyNoNew: refusal,
      paths,
      now,
    });
    const answer = await work(edit, draft);
    // Before the notes: a number that is given is never given again, whatever happens to them.
    const numbers = edit.numbers();
    if (isSound) await saveNumbers(store, numbers, written);
    else if (!refusal) await replaceNumbers(store, numbers);
    numbersByStore.set(store, numbers);
    for (const { id, revision, updated } of edit.changed()) entityIndex.changedAt.note(id, revision, updated);
    await saveSeen({ store, entityIndex });
    landed = () => {
      for (const [id, fields] of edit.own()) seen?.handed(id, edit.get(id)?.revision ?? '', fields);
    };
    return answer;
  }, looking);
  landed();
  return answer;
}

/** The highest numbers that each open vault is known to have given. */
const numbersByStore = new WeakMap<Store, Numbers>();

interface Given {
  readonly given: Numbers;
  /** Those that the record tells of. */
  readonly written: Numbers;
  readonly isSound: boolean;
  /** Why none can be given: nobody could read which was the last. */
  readonly refusal: ToolFailure | null;
}

/** Where the record of numbers is gone, damaged, or tells of less than is known, that of what was seen tells of them, too. */
async function readGiven({ store, entityIndex }: Pick<ChangeParts, 'store' | 'entityIndex'>): Promise<Given> {
  const record = await store.readRecord(numbersName);
  const written = readNumbers(textOf(record));
  const given = highestOf(written, entityIndex.changedAt.highest(), numbersByStore.get(store) ?? written);
  const refusal = record.kind === 'unusable' ? record.refusal : null;
  const isSound = record.kind === 'whole' && isSoundRecord(record.text);
  if (isSound && printNumbers(given, written) === '') return { given, written, isSound, refusal };
  const ofSeen = readNumbers(textOf(await store.readRecord(changeTimes)));
  return { given: highestOf(given, ofSeen), written, isSound, refusal };
}

/** What a process appends lasts as soon as it is written; only a power cut can take it, and then the notes are counted. */
async function saveNumbers(store: Store, numbers: Numbers, before: Numbers): Promise<void> {
  const lines = printNumbers(numbers, before);
  if (lines === '') return;
  const size = await store.appendRecord(numbersName, lines);
  if (size > longestNumbers) await replaceNumbers(store, numbers);
}

async function replaceNumbers(store: Store, numbers: Numbers): Promise<void> {
  const text = printNumbers(numbers);
  const isNew = text === '' && (await store.readRecord(numbersName)).kind === 'missing';
  if (!isNew) await store.replaceRecord(numbersName, text);
}

const trimSeenFrom = 256 * 1024;

/** What it holds is found out again from the notes: nobody is refused a change for it. */
async function saveSeen({ store, entityIndex }: Pick<ChangeParts, 'store' | 'entityIndex'>): Promise<void> {
  const lines = entityIndex.changedAt.takeLines();
  if (lines === '') return;
  try {
    const size = await store.appendRecord(changeTimes, lines);
    const trimmed = size < trimSeenFrom ? null : trimmedSeen(await store.readRecord(changeTimes));
    if (trimmed !== null) await store.replaceRecord(changeTimes, trimmed);
  } catch {
    // The doctor names what stands in its place.
  }
}
