import { ToolFailure } from '../base/failures';
import { plainEnds } from '../base/line-ends';
import { printReading } from '../entity/handed-out/reading';
import { bodyOf } from '../entity/note/note-text';
import { nameOf } from '../entity/note/read';
import { severalNamed } from '../entity/references/find';
import { brokenNote } from '../entity/references/references';
import type { Done } from './done';
import type { Edit } from './edit';
import { isSame } from './late-change';
import type { Op, OpAnswer } from './op';
import { readChange } from './validate';

/** What is said of an op that was done before: how that stands now. */
export async function replayed(
  { op, payload }: Op,
  { id, created, name, cascaded }: Done,
  edit: Edit,
): Promise<OpAnswer> {
  const entity = edit.get(id);
  const broken = entity ? null : brokenNote(id, edit);
  if (broken) {
    throw new ToolFailure('not_found', `This op was done before. ${broken.message}`, {
      field: 'client_id',
      hint: `Nothing was done again. ${broken.hint}`,
    });
  }
  if (!entity) {
    throw new ToolFailure('not_found', `This op was done before, for ${id}, which is gone by now.`, {
      field: 'client_id',
      hint: 'Nothing was done again. Take another client_id for a new one.',
    });
  }
  const twice = edit.notesOf(id);
  if (twice.length > 1) {
    const hint = 'It was done before, and nothing was done again. Give all but one another id.';
    throw severalNamed(id, twice, { field: 'client_id', hint });
  }
  // A person may have changed the one, or the other.
  const isSameNote = created === (entity.created ?? '') || name === nameOf(entity.path);
  if (created !== undefined && !isSameNote) {
    throw new ToolFailure(
      'not_found',
      `This op was done before, for ${id}; “${entity.path}”, which has that id now, is called otherwise and created at another time.`,
      {
        field: 'client_id',
        hint: `Nothing was done again. Read it: where it is the one that was meant, go on with ${id}; where it is another, take another client_id for a new one.`,
      },
    );
  }
  const set: Op['payload'] = {
    ...(op === 'archive' && { archived: true }),
    ...payload,
  };
  const { values, archived, body } = readChange(entity.type, set, new Set(Object.keys(set)));
  const isAnother = (field: string) => !isSame(orNothing(entity.values[field]), orNothing(values[field]));
  const changed = Object.keys(values).filter(isAnother);
  if (archived !== undefined && archived !== entity.archived) changed.push('archived');
  if (body !== undefined && plain(body) !== plain(bodyOf(await edit.text(entity)))) changed.push('body');
  const isSet = (field: string) =>
    field in values ||
    (field === 'archived' && archived !== undefined) ||
    (field === 'body' && body !== undefined);
  for (const each of cascaded ?? []) {
    if (edit.get(each)?.archived !== archived) changed.push(`${each}.archived`);
  }
  return {
    // What the caller wrote, and nobody changed since.
    ...{ id, revision: printReading(entity, (field) => isSet(field) && !changed.includes(field)) },
    replayed: true,
    ...(cascaded && { cascaded }),
    ...(changed.length > 0 && { changed_since: changed }),
  };
}

/** What is empty is not written. */
const orNothing = (value: unknown) =>
  value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;

const plain = (body: string) => plainEnds(body).trim();
