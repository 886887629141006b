import type { Entity } from '../model/model';

/** Body and front matter texts; names of fields are no words of an entity. */
export function searchable(entity: Entity, body: string): string {
  const texts = Object.entries(entity.values)
    .filter(([key]) => !notSearched.has(key))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string');
  return `${texts.join(' ')} ${body}`;
}

const notSearched = new Set([
  'id',
  'type',
  'title',
  'created',
  'updated',
  'canvas_source',
  'status',
  'priority',
]);
