import { z } from 'zod';
import { type Catalog, type Entities, seenName } from '../entities/catalog';
import { trimmedSeen } from '../entities/changed-at';
import { createEdit, type Edit } from '../entities/edit';
import type { FieldSource } from '../entities/fields';
import { bodyOf } from '../entities/note-text';
import {
  highestOf,
  isSoundRecord,
  type Numbers,
  numbersName,
  printNumbers,
  readNumbers,
} from '../entities/numbers';
import type { Seen } from '../entities/seen';
import { ToolFailure, toFailure } from '../failures';
import type { Draft } from '../files/draft';
import { revisionOf } from '../files/hash';
import type { Store } from '../files/store';
import type { Pages } from '../pages';
import { entityFoldersIfAsked } from '../workspaces';

/** What every tool works with. */
export interface VaultParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly now: () => Date;
  readonly pages: Pages;
  /** Another one for each start of a server. */
  readonly session: string;
}

export const Fields = z.array(z.string()).min(1).max(50).optional();
export const EntityRecord = z.record(z.string(), z.unknown());

export function fieldSource(
  { store, catalog }: Pick<VaultParts, 'store' | 'catalog'>,
  entities: Entities,
): FieldSource {
  return {
    children: entities.children,
    dependents: entities.dependents,
    text: async (entity) => {
      const document = await store.find(entity.path);
      if (document) {
        if (revisionOf(document.text) === entity.revision) {
          catalog.versions.keepBody(entity, bodyOf(document.text));
        }
        return document.text;
      }
      throw new ToolFailure('not_found', `The note of ${entity.id} is gone.`);
    },
  };
}

/**
 * Runs changes of entities alone among all writers; they are kept whole or not at all. What seems not to be there, by
 * events alone, may only have been moved in this moment: then the folders are looked into.
 */
export async function changeEntities<T>(
  parts: Pick<VaultParts, 'store' | 'catalog' | 'now'>,
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
  { store, catalog, now }: Pick<VaultParts, 'store' | 'catalog' | 'now'>,
  work: (edit: Edit, draft: Draft) => Promise<T>,
  looking: 'events' | 'folders',
  seen: Seen | undefined,
): Promise<T> {
  let landed = () => {};
  const answer = await store.change(async (draft) => {
    const [entities, folders, written] = await Promise.all([
      catalog.present(),
      entityFoldersIfAsked(store),
      store.readSetting(numbersName),
    ]);
    const recorded = readNumbers(written);
    const before = known.get(store);
    // Somebody may have taken or emptied the record meanwhile.
    const given = before ? highestOf(recorded, before) : recorded;
    const isSound = isSoundRecord(written) && printNumbers(given, recorded) === '';
    const canvases = (await store.list()).map(({ path }) => path).filter((path) => path.endsWith('.canvas'));
    const edit = createEdit({
      draft,
      entities,
      folders,
      versions: catalog.versions,
      seen,
      given,
      canvases,
      now,
    });
    const told = await work(edit, draft);
    // Before the notes: a number that is given is never given again, whatever happens to them.
    const numbers = edit.numbers();
    if (isSound) await saveNumbers(store, numbers, given);
    else await store.replaceSetting(numbersName, printNumbers(numbers));
    known.set(store, numbers);
    for (const { id, revision, updated } of edit.changed()) catalog.changedAt.note(id, revision, updated);
    await saveSeen({ store, catalog });
    landed = () => {
      for (const [id, fields] of edit.own()) seen?.handed(id, edit.get(id)?.revision ?? '', fields);
    };
    return told;
  }, looking);
  landed();
  return answer;
}

const mostWarnings = 20;

/** What an answer says of words that stood in the way. */
export function saidIn(edit: Edit): { warnings?: string[] } {
  const all = edit.warnings();
  return all.length === 0 ? {} : { warnings: all.slice(0, mostWarnings) };
}

/** The highest numbers that each open vault is known to have given. */
const known = new WeakMap<Store, Numbers>();

/** What a process appends lasts as soon as it is written; only a power cut can take it, and then the notes are counted. */
async function saveNumbers(store: Store, numbers: Numbers, given: Numbers): Promise<void> {
  const lines = printNumbers(numbers, given);
  if (lines === '') return;
  const size = await store.appendSetting(numbersName, lines);
  if (size > longestNumbers) await store.replaceSetting(numbersName, printNumbers(numbers));
}

const longestNumbers = 64 * 1024;
const trimSeenFrom = 256 * 1024;

async function saveSeen({ store, catalog }: Pick<VaultParts, 'store' | 'catalog'>): Promise<void> {
  const lines = catalog.changedAt.takeLines();
  if (lines === '') return;
  const size = await store.appendSetting(seenName, lines);
  const trimmed = size < trimSeenFrom ? null : trimmedSeen((await store.readSetting(seenName)) ?? '');
  if (trimmed !== null) await store.replaceSetting(seenName, trimmed);
}
