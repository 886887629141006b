import { ToolFailure } from '../../base/failures';
import { isOfForm } from '../model/field-form';
import { type Entity, type EntityType, entityTypes, writableFields } from '../model/model';
import { bodyOf, writtenField } from '../note/note-text';
import { printReading } from './reading';

export const defaultFields = {
  one: [
    'id',
    'type',
    'title',
    'status',
    'workstream',
    'priority',
    'parent',
    'depends_on',
    'updated',
    'revision',
  ],
  many: ['id', 'type', 'title', 'status', 'revision'],
  written: ['id', 'title', 'status', 'path', 'updated', 'revision'],
} as const;

const computed = [
  ...['id', 'type', 'path', 'body', 'children', 'dependents', 'created', 'updated', 'archived'],
  'revision',
];

const fieldNames: ReadonlySet<string> = new Set([
  ...computed,
  ...entityTypes.flatMap((type) => [...writableFields(type).keys()]),
]);

export interface FieldSource {
  children(id: string): readonly Entity[];
  dependents(id: string): readonly Entity[];
  text(entity: Entity): Promise<string>;
}

/** Refuses names that no entity here has. */
export function checkFields(fields: readonly string[] | undefined, entities: readonly Entity[] = []): void {
  for (const field of fields ?? []) {
    if (
      field === '*' ||
      fieldNames.has(field) ||
      entities.some((entity) => Object.hasOwn(entity.values, field))
    )
      continue;
    throw new ToolFailure('validation', `There is no field “${field.slice(0, 80)}”.`, {
      field: 'fields',
      hint: `Known: ${[...fieldNames].sort().join(', ')}, or * for all.`,
    });
  }
}

/**
 * The fields that were asked for, and the revision, without which nothing could be changed; no others. By default what is
 * empty is left out; what is named comes, if only as null. The revision says what came with it and, `isKnown`, what else the
 * caller knows.
 */
export async function pick(
  entity: Entity,
  fields: readonly string[] | undefined,
  defaults: readonly string[],
  source: FieldSource,
  isKnown: (field: string) => boolean = () => false,
): Promise<Record<string, unknown>> {
  const named = fields !== undefined && !fields.includes('*');
  const names = fields === undefined ? defaults : named ? [...fields, 'revision'] : everyField(entity);
  const answer: Record<string, unknown> = {};
  for (const name of names) {
    const value = await fieldOf(entity, name, source);
    if (value !== undefined) answer[name] = value;
    else if (named && hasField(entity.type, name)) answer[name] = null;
  }
  if ('revision' in answer)
    answer.revision = printReading(entity, (field) => isKnown(field) || Object.hasOwn(answer, field));
  return answer;
}

function everyField(entity: Entity): string[] {
  return [
    ...new Set([
      'id',
      'type',
      ...writableFields(entity.type).keys(),
      ...Object.keys(entity.values),
      ...computed,
    ]),
  ];
}

function hasField(type: EntityType, name: string): boolean {
  return writableFields(type).has(name) || computed.includes(name);
}

async function fieldOf(entity: Entity, name: string, source: FieldSource): Promise<unknown> {
  // Neither a default nor a part of it: who is handed the field is handed its words.
  if (isShownAsWritten(entity, name)) {
    const value = entity.values[name];
    return typeof value === 'string' ||
      (Array.isArray(value) && value.every((each) => typeof each === 'string'))
      ? value
      : writtenField(await source.text(entity), name).value;
  }
  switch (name) {
    case 'id':
    case 'type':
    case 'path':
    case 'title':
    case 'status':
    case 'updated':
    case 'revision':
      return entity[name];
    case 'workstream':
    case 'priority':
    case 'parent':
    case 'created':
      return entity[name] ?? undefined;
    case 'archived':
      return entity.archived || undefined;
    case 'depends_on':
      return someOf(entity.dependsOn);
    case 'children':
      return someOf(source.children(entity.id).map((child) => child.id));
    case 'dependents':
      return someOf(source.dependents(entity.id).map((each) => each.id));
    case 'body':
      return bodyOf(await source.text(entity));
    default: {
      const value = entity.values[name];
      return Array.isArray(value) ? someOf(value) : (value ?? undefined);
    }
  }
}

/** When it was changed is known otherwise, too. */
function isShownAsWritten(entity: Entity, name: string): boolean {
  return name !== 'updated' && name !== 'created' && !isOfForm(entity, name);
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
