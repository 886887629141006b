import { ToolFailure } from '../base/failures';
import type { Edit } from '../change/edit';
import { readReading, wholeReading } from '../entity/handed-out/reading';
import type { Entities } from '../entity/index/entities';
import type { EntityIndex } from '../entity/index/entity-index';
import { compareIds, type Entity, idsIn } from '../entity/model/model';
import { bodyOf } from '../entity/note/note-text';
import { entityNamed } from '../entity/references/find';

export interface DecisionQuery {
  readonly topic?: string | undefined;
  readonly workstream?: string | undefined;
  readonly include_superseded?: boolean | undefined;
  readonly include_archived?: boolean | undefined;
}

/** Decisions, the latest first, each with the chain of those that it replaced or that replaced it. */
export function decisionHistory(entities: Entities, search: EntityIndex['search'], query: DecisionQuery) {
  const ids = query.topic === undefined ? null : new Set(search(query.topic).keys);
  return entities
    .all()
    .filter((entity) => entity.type === 'decision')
    .filter((entity) => !ids || ids.has(entity.id))
    .filter((entity) => query.workstream === undefined || entity.workstream === query.workstream)
    .filter((entity) => query.include_archived || !entity.archived)
    .filter((entity) => query.include_superseded !== false || entity.status !== 'superseded')
    .sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : compareIds(b.id, a.id)))
    .map((entity) => {
      const chain = chainOf(entity, entities);
      const { decision, rationale, decided_on, decided_by } = entity.values;
      return {
        id: entity.id,
        title: entity.title,
        status: entity.status,
        revision: entity.revision,
        ...withText({ decided_on, decided_by, decision, rationale }),
        ...(chain.length > 1 ? { chain } : {}),
      };
    });
}

/** From the first decision on the matter to the one that holds now. */
function chainOf(decision: Entity, entities: Entities): string[] {
  const follow = (start: Entity, key: 'supersedes' | 'superseded_by'): string[] => {
    const way: string[] = [];
    const visited = new Set([start.id]);
    for (
      let [next] = idsIn(start.values[key]);
      next !== undefined && !visited.has(next);
      [next] = idsIn(entities.get(next)?.values[key])
    ) {
      visited.add(next);
      way.push(next);
    }
    return way;
  };
  return [...follow(decision, 'supersedes').reverse(), decision.id, ...follow(decision, 'superseded_by')];
}

export interface Supersede {
  readonly document_id: string;
  readonly decision_id?: string | undefined;
  readonly new_content: string;
  /** Of the text that is replaced. */
  readonly revision?: string | undefined;
  readonly change_summary?: string | undefined;
}

/**
 * The document gets a new version under its own id, so that whatever names it goes on to mean the current text; the
 * old text becomes a note of its own.
 */
export async function supersedeDocument(edit: Edit, request: Supersede) {
  const current = entityNamed(request.document_id, edit, 'document_id');
  if (current.type !== 'document') {
    throw new ToolFailure('validation', `${current.id} is a ${current.type}.`, { field: 'document_id' });
  }
  const [newer] = idsIn(current.values.superseded_by);
  if (newer !== undefined && newer !== current.id && edit.get(newer)) {
    throw new ToolFailure('conflict', `${current.id} is superseded by ${newer} already.`, {
      field: 'document_id',
      hint: `Supersede ${newer}, which has the current text.`,
    });
  }
  const decision =
    request.decision_id === undefined ? undefined : entityNamed(request.decision_id, edit, 'decision_id');
  if (decision && decision.type !== 'decision') {
    throw new ToolFailure('validation', `${decision.id} is a ${decision.type}.`, { field: 'decision_id' });
  }
  const { version, doc_type, owner, decision_id, change_summary, tags } = current.values;
  const previous = idsIn(current.values.previous_versions);
  const data = {
    title: `${current.title} (version ${String(version ?? previous.length + 1)})`,
    workstream: current.workstream,
    status: 'superseded',
    priority: current.priority,
    version: version ?? previous.length + 1,
    superseded_by: current.id,
    ...withText({ doc_type, owner, decision_id, change_summary }),
    ...(Array.isArray(tags) ? { tags } : {}),
    body: bodyOf(await edit.text(current)),
  };
  const old = await edit.create('document', data, { like: current.path });
  // All that it replaces is in the old one.
  const reading = request.revision === undefined ? undefined : atRevision(current.id, request.revision);
  const { entity: renewed } = await edit.update(current.id, { body: request.new_content }, reading);
  const fields = {
    version: nextVersion(version, previous.length + 1),
    previous_versions: [...previous, old.id],
    decision_id: decision?.id ?? null,
    change_summary: request.change_summary ?? null,
  };
  const { entity } = await edit.update(current.id, fields, wholeReading(renewed.revision));
  if (decision) {
    await edit.update(decision.id, {
      affects: [...new Set([...idsIn(decision.values.affects), current.id])],
    });
  }
  return { entity, old };
}

const atRevision = (id: string, printed: string) => wholeReading(readReading(id, printed).revision);

/** 1 → 2, "1.2" → "2.0", "v3" → "v4". */
function nextVersion(version: unknown, count: number): string | number {
  if (typeof version === 'number') return Math.floor(version) + 1;
  const parts = /^(\D*)(\d+)(\.\d+)?/.exec(typeof version === 'string' ? version : '');
  if (!parts) return count + 1;
  return `${parts[1]}${Number(parts[2]) + 1}${parts[3] === undefined ? '' : '.0'}`;
}

/** All versions of a document, the current one first. Any of them may be named. */
export function documentHistory(entities: Entities, id: string) {
  let current = documentNamed(entities, id);
  const visited = new Set<string>();
  for (let [next] = idsIn(current.values.superseded_by); next !== undefined && !visited.has(next); ) {
    visited.add(next);
    current = entities.get(next) ?? current;
    [next] = idsIn(current.values.superseded_by);
  }
  const older = idsIn(current.values.previous_versions).map((each) => entities.get(each));
  return [current, ...older.reverse()]
    .filter((entity) => entity !== undefined)
    .map((entity) => {
      const { version, decision_id, change_summary } = entity.values;
      return {
        id: entity.id,
        title: entity.title,
        status: entity.status,
        ...withText({ version, decision_id, change_summary }),
        updated: entity.updated,
        path: entity.path,
        revision: entity.revision,
      };
    });
}

/** What a document names, or what says that it affects it, and was changed after it. */
export async function freshness(entities: Entities, id: string, text: (entity: Entity) => Promise<string>) {
  const document = documentNamed(entities, id);
  const named = new Set([
    ...namedIn(`${await text(document)}`),
    ...entities
      .all()
      .filter((each) => each.type === 'decision' && idsIn(each.values.affects).includes(document.id))
      .map((each) => each.id),
  ]);
  const history = new Set([
    document.id,
    ...idsIn(document.values.previous_versions),
    ...idsIn(document.values.superseded_by),
  ]);
  const changed = [...named]
    .filter((each) => !history.has(each))
    .sort(compareIds)
    .map((each) => entities.get(each))
    .filter((each) => each !== undefined && Date.parse(each.updated) > Date.parse(document.updated))
    .filter((each) => each !== undefined)
    // The decision that led to this version is recorded in the same moment.
    .filter(
      (each) =>
        each.id !== document.values.decision_id ||
        Date.parse(each.updated) - Date.parse(document.updated) > 1000,
    )
    .map((each) => ({
      id: each.id,
      title: each.title,
      status: each.status,
      updated: each.updated,
      revision: each.revision,
    }));
  const missing = [...named].filter((each) => !entities.get(each)).sort(compareIds);
  return {
    document_id: document.id,
    updated: document.updated,
    revision: document.revision,
    fresh: changed.length === 0,
    changed,
    missing,
  };
}

function documentNamed(entities: Entities, id: string): Entity {
  const entity = entityNamed(id, entities, 'document_id');
  if (entity.type === 'document') return entity;
  throw new ToolFailure('validation', `${entity.id} is a ${entity.type}.`, { field: 'document_id' });
}

function namedIn(text: string): string[] {
  return text.match(/\b(?:M|S|T|DEC|DOC)-\d{3,9}\b/g) ?? [];
}

function dateOf(decision: Entity): string {
  return typeof decision.values.decided_on === 'string'
    ? decision.values.decided_on
    : (decision.created ?? decision.updated);
}

function withText(values: Readonly<Record<string, unknown>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (pair): pair is [string, string | number] => typeof pair[1] === 'string' || typeof pair[1] === 'number',
    ),
  );
}
