import { z } from 'zod';
import { type Failure, ToolFailure, toFailure } from '../../entities/base/failures';
import { fieldSource } from '../../entities/change/change';
import { checkFields, defaultFields, pick } from '../../entities/entity/handed-out/fields';
import { printReading } from '../../entities/entity/handed-out/reading';
import type { Seen } from '../../entities/entity/handed-out/seen';
import type { Entity } from '../../entities/entity/model/model';
import { entityNamed } from '../../entities/entity/references/find';
import { printCursor, readCursor } from '../cursor';
import { defineTool, reads, type Tool } from './define';
import { EntityRecord, Fields, type VaultParts } from './shared';

const input = z.strictObject({
  id: z.string().optional(),
  ids: z.array(z.string()).min(1).max(100).optional(),
  fields: Fields.describe('["*"]: all, with the body'),
  cursor: z.string().optional(),
});

const output = z.object({
  entity: EntityRecord.optional(),
  entities: z.array(EntityRecord).optional(),
  errors: z.array(EntityRecord).optional(),
  truncated: z.boolean().optional(),
  cursor: z.string().optional(),
});

/** Characters; bodies can be long. */
const mostText = 100_000;
/** From which id on, and from which place in its body. */
const Place = z.object({ index: z.int().min(0), offset: z.int().min(0), revision: z.string() });

export function getEntity(parts: VaultParts): Tool {
  return defineTool({
    name: 'get_entity',
    title: 'Get entity',
    description:
      'One entity by id, or several by ids. Name the fields you need; also body, path, children, dependents.',
    input,
    output,
    annotations: reads,
    run: async ({ id, ids, fields, cursor }, seen) => {
      if ((id === undefined) === (ids === undefined)) {
        throw new ToolFailure('validation', 'Give either id or ids.');
      }
      const entities = await parts.entityIndex.entities();
      const source = fieldSource(parts, entities);
      const request = ['get_entity', id, ids, fields] as const;
      const place = cursor === undefined ? null : readCursor(Place, cursor, request);
      const answers: Record<string, unknown>[] = [];
      const errors: Failure[] = [];
      let room = mostText;
      let rest: string | undefined;
      for (const [index, each] of (id === undefined ? (ids ?? []) : [id]).entries()) {
        if (place && index < place.index) continue;
        try {
          const entity = entityNamed(each, entities, id === undefined ? `ids.${index}` : 'id');
          checkFields(fields, [entity]);
          const picked = await pick(entity, fields, defaultFields.one, source);
          const offset = place?.index === index ? place.offset : 0;
          if (offset > 0 && place?.revision !== entity.revision) {
            throw new ToolFailure('conflict', `${entity.id} was changed since the first part was read.`, {
              hint: 'Read it from the start.',
            });
          }
          const part = withPartOfBody(picked, offset, room, answers.length === 0);
          if (part) answers.push(part.end === null ? part.content : withPartRevision(entity, part.content));
          if (part) handPart(seen, entity, offset, part);
          if (!part || part.end !== null) {
            rest = printCursor({ index, offset: part?.end ?? 0, revision: entity.revision }, request);
            break;
          }
          room -= part.length;
        } catch (error) {
          const failure = toFailure(error);
          if (id !== undefined || !(failure.code === 'not_found' || failure.field === `ids.${index}`))
            throw error;
          errors.push(failure);
        }
      }
      return {
        ...(id === undefined ? { entities: answers } : { entity: answers[0] ?? {} }),
        ...(errors.length > 0 ? { errors } : {}),
        ...(rest === undefined ? {} : { truncated: true, cursor: rest }),
      };
    },
  });
}

/** Whoever has the last part came by the cursors of those before it; whoever has another has not read the body. */
function withPartRevision(entity: Entity, part: Record<string, unknown>): Record<string, unknown> {
  const has = (field: string) => field !== 'body' && Object.hasOwn(part, field);
  return { ...part, revision: printReading(entity, has) };
}

/** A body that comes in parts was handed out when all of them were. */
function handPart(
  seen: Seen,
  { id, revision }: Entity,
  offset: number,
  { content, end }: { content: Record<string, unknown>; end: number | null },
): void {
  const from = (place: number) => `the body from ${place}`;
  const hasAllBefore = offset === 0 || seen.of(id).get(from(offset)) === revision;
  const fields = Object.keys(content).filter((field) => field !== 'body' || (end === null && hasAllBefore));
  seen.handed(id, revision, end !== null && hasAllBefore ? [...fields, from(end)] : fields);
}

/**
 * An entity as far as there is room: null where it has to wait for another answer, `end` where its body goes on in one.
 * The first of an answer always comes, be it with a part of its body only.
 */
function withPartOfBody(
  picked: Record<string, unknown>,
  offset: number,
  room: number,
  isFirst: boolean,
): { content: Record<string, unknown>; length: number; end: number | null } | null {
  const body = typeof picked.body === 'string' ? picked.body : '';
  const whole = offset === 0 ? picked : { ...picked, body: body.slice(offset) };
  const { length } = JSON.stringify(whole);
  if (length <= room) return { content: whole, length, end: null };
  if (!isFirst) return null;
  if (body.length - offset <= mostText / 2) return { content: whole, length, end: null };
  const last = body.charCodeAt(offset + mostText / 2 - 1);
  // Not in the middle of a surrogate pair.
  const end = offset + mostText / 2 - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
  return { content: { ...picked, body: body.slice(offset, end) }, length: room, end };
}
