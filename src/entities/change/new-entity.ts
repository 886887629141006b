import { type EntityType, writableFields } from '../entity/model/model';
import { newNote } from '../entity/note/note-text';
import { statusUntold } from '../entity/note/read';

/** The note of a new entity, in which every one has some fields, in one order. */
export function newEntityNote(entity: {
  readonly id: string;
  readonly type: EntityType;
  readonly values: Readonly<Record<string, unknown>>;
  /** Where it is not told. */
  readonly workstream: string | undefined;
  readonly canvas: string | undefined;
  /** When it is made. */
  readonly stamp: string;
  readonly body: string;
}): string {
  const { id, type, values, stamp, canvas, body } = entity;
  const { title, workstream, status, priority } = values;
  const others = [...writableFields(type).keys()].filter((key) => key in values && !placed.has(key));
  return newNote(
    {
      id,
      type,
      title,
      workstream: workstream ?? entity.workstream,
      status: status ?? statusUntold(type, values),
      priority: priority ?? 'medium',
      ...Object.fromEntries(others.map((key) => [key, values[key]])),
      created: stamp,
      updated: stamp,
      canvas_source: canvas,
    },
    body,
  );
}

/** Keys of a new note that have a place of their own. */
const placed = new Set(['title', 'workstream', 'status', 'priority', 'canvas_source']);

const longestName = 160;

/** The title as far as every file system and wiki link can have it. */
export function fileName(id: string, title: string): string {
  const safe = title
    .replace(/[\\/:*?"<>|#^[\]\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  let name = safe.slice(0, longestName);
  while (Buffer.byteLength(name) > longestName) name = [...name].slice(0, -1).join('');
  name = name.replace(/(?<![. ])[. ]+$/, '');
  return `${id}${name === '' ? '' : ` ${name}`}.md`;
}
