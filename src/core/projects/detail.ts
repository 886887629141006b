import type { Decision, EntityDetail } from '../../contract/projects';
import {
  bodyOf,
  decisionHistory,
  documentHistory,
  type Entities,
  type Entity,
  type EntityType,
  freshness,
  idsIn,
  kinds,
  type Project,
  priorities,
  writableFields,
  writtenField,
} from '../../entities/project';
import { briefOf, textOf } from './brief';

/** Everything about one entity, with what lies around it. */
export async function detailOf(
  entity: Entity,
  entities: Entities,
  project: Project,
  now: Date,
): Promise<EntityDetail> {
  const brief = (each: Entity) => briefOf(each, entities, now);
  const present = (ids: readonly string[]) =>
    ids.map((id) => entities.get(id)).filter((each) => each !== undefined);
  const fields = [...writableFields(entity.type)];
  const fieldNames = fields
    .filter(([, kind]) => kind === 'id' || kind === 'ids')
    .flatMap(([field]) => idsIn(entity.values[field]).map((id) => ({ field, id })));
  const isDocument = entity.type === 'document';
  const text = await project.text(entity);
  return {
    entity: brief(entity),
    created: entity.created,
    fields: fields.map(([name, kind]) => ({
      name,
      kind,
      options: optionsOf(entity.type, kind),
      types: typesFor(entity.type, name),
      value: printable(kind, entity.values[name]),
      unread: isUnread(kind, entity.values[name]) ? short(writtenField(text, name).value) : null,
    })),
    body: bodyOf(text),
    parent: present(entity.parent === null ? [] : [entity.parent]).map(brief)[0] ?? null,
    children: entities.children(entity.id).map(brief),
    dependencies: present(entity.dependsOn).map(brief),
    dependents: entities.dependents(entity.id).map(brief),
    names: fieldNames
      .filter(({ field }) => field !== 'parent' && field !== 'depends_on')
      .flatMap(({ field, id }) => present([id]).map((each) => ({ field, entity: brief(each) }))),
    namedBy: namedBy(entity, entities).map(({ field, other }) => ({ field, entity: brief(other) })),
    missing: [...new Set(fieldNames.map(({ id }) => id).filter((id) => !entities.get(id)))],
    history: isDocument ? versionsOf(entity, entities) : chainOf(entity, entities),
    outdatedBy: isDocument
      ? (await freshness(entities, entity.id, project.text)).changed.map(({ id, title, status }) => ({
          ...{ id, title, status },
        }))
      : [],
  };
}

type FieldKind = EntityDetail['fields'][number]['kind'];

function optionsOf(type: EntityType, kind: FieldKind): string[] | null {
  if (kind === 'status') return [...kinds[type].statuses];
  return kind === 'priority' ? [...priorities] : null;
}

function typesFor(type: EntityType, field: string): EntityType[] | null {
  switch (field) {
    case 'parent':
      return [...kinds[type].parents];
    case 'supersedes':
    case 'decision_id':
      return ['decision'];
    case 'superseded_by':
      return [type];
    case 'previous_versions':
      return ['document'];
    default:
      return null;
  }
}

function printable(kind: FieldKind, value: unknown): string | number | string[] | null {
  switch (kind) {
    case 'id':
      return idsIn(value)[0] ?? null;
    case 'ids':
      return idsIn(value);
    case 'list':
      return (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
        .map(textOf)
        .filter((each) => each !== null);
    case 'number':
    case 'text-or-number':
      return typeof value === 'number' ? value : textOf(value);
    case 'text':
    case 'date':
    case 'status':
    case 'priority':
      return textOf(value);
  }
}

const longestUnread = 2_000;
const isWord = (value: unknown) =>
  value === undefined || value === null || typeof value === 'string' || typeof value === 'number';

/** A mapping, say: not shown it would look as if nothing were there, and be lost to whoever fills it in. */
function isUnread(kind: FieldKind, value: unknown): boolean {
  const takesMany = kind === 'list' || kind === 'ids' || kind === 'id';
  return !isWord(value) && !(takesMany && Array.isArray(value) && value.every(isWord));
}

const short = (text: string) => (text.length > longestUnread ? `${text.slice(0, longestUnread)}…` : text);

/** Who names it in a field other than parent and dependencies. */
function namedBy(entity: Entity, entities: Entities): { field: string; other: Entity }[] {
  return entities.all().flatMap((other) => {
    if (other.id === entity.id) return [];
    return [...writableFields(other.type)]
      .filter(([field, kind]) => (kind === 'id' || kind === 'ids') && !around.has(field))
      .filter(([field]) => idsIn(other.values[field]).includes(entity.id))
      .map(([field]) => ({ field, other }));
  });
}

const around = new Set(['parent', 'depends_on']);

function versionsOf(entity: Entity, entities: Entities): EntityDetail['history'] {
  const versions = documentHistory(entities, entity.id);
  if (versions.length < 2) return [];
  return versions.map((each) => {
    const { values, updated } = entities.get(each.id) ?? entity;
    return {
      ...{ id: each.id, title: each.title, status: each.status },
      version: textOf(values.version),
      date: updated,
      summary: textOf(values.change_summary),
    };
  });
}

function chainOf(entity: Entity, entities: Entities): EntityDetail['history'] {
  const own = decisionHistory(entities, () => ({ keys: [], total: 0 }), { include_archived: true }).find(
    ({ id }) => id === entity.id,
  );
  const chain = own && 'chain' in own && Array.isArray(own.chain) ? own.chain : [];
  return chain
    .map((id) => entities.get(id))
    .filter((each) => each !== undefined)
    .map((each) => ({
      ...{ id: each.id, title: each.title, status: each.status, version: null },
      date: textOf(each.values.decided_on) ?? each.created,
      summary: textOf(each.values.decision),
    }));
}

/** Decisions as the history tells them, the latest first. */
export function decisionsOf(
  members: ReadonlySet<Entity>,
  entities: Entities,
  search: Project['search'],
  topic: string,
  now: Date,
): Decision[] {
  return decisionHistory(entities, search, topic.trim() === '' ? {} : { topic }).flatMap((item) => {
    const entity = entities.get(item.id);
    if (!entity || !members.has(entity)) return [];
    const { decision, rationale, decided_by, decided_on } = entity.values;
    return [
      {
        ...briefOf(entity, entities, now),
        decision: textOf(decision),
        rationale: textOf(rationale),
        decidedBy: textOf(decided_by),
        decidedOn: textOf(decided_on),
        chain: 'chain' in item && Array.isArray(item.chain) ? item.chain : [entity.id],
      },
    ];
  });
}
