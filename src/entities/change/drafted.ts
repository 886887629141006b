import { ToolFailure } from '../base/failures';
import { revisionOf } from '../base/hash';
import type { Versions } from '../entity/handed-out/versions';
import type { Entities } from '../entity/index/entities';
import type { Entity } from '../entity/model/model';
import { bodyOf } from '../entity/note/note-text';
import { readEntity, readParts } from '../entity/note/read';
import type { Related } from '../entity/references/references';
import type { Draft } from '../store/batch/draft';

/** The entities of a vault as they are drafted: those that were changed in place of what the vault has. */
export interface Drafted extends Related {
  children(id: string): Entity[];
  dependents(id: string): Entity[];
  changed(): readonly Entity[];
  textOf(entity: Entity): Promise<string>;
  /** As its note is now: no event may have told of the last change yet. */
  asWritten(entity: Entity): Promise<{ readonly entity: Entity; readonly text: string }>;
  put(path: string, text: string, like?: string): Promise<Entity>;
  savepoint(): () => void;
}

export function createDrafted(parts: {
  readonly draft: Draft;
  readonly entities: Entities;
  readonly versions: Versions;
  readonly now: () => Date;
}): Drafted {
  const { draft, entities, versions, now } = parts;
  let changed = new Map<string, Entity>();

  function* all(): Iterable<Entity> {
    for (const entity of entities.all()) yield changed.get(entity.id) ?? entity;
    for (const entity of changed.values()) if (!entities.get(entity.id)) yield entity;
  }

  /** In the vault as it was, and as it is drafted. */
  function having(before: readonly Entity[], has: (entity: Entity) => boolean): Entity[] {
    const unchanged = before.filter((entity) => !changed.has(entity.id));
    return [...unchanged, ...[...changed.values()].filter(has)];
  }

  async function textOf(entity: Entity): Promise<string> {
    const document = await draft.read(entity.path);
    if (!document) throw new ToolFailure('conflict', `“${entity.path}” is gone.`, { hint: 'Try again.' });
    return document.text;
  }

  return {
    get: (id) => changed.get(id) ?? entities.get(id),
    all,
    troubled: entities.troubled,
    children: (id) => having(entities.children(id), (entity) => entity.parent === id),
    dependents: (id) => having(entities.dependents(id), (entity) => entity.dependsOn.includes(id)),
    changed: () => [...changed.values()],
    textOf,
    asWritten: async (entity) => {
      const text = await textOf(entity);
      const revision = revisionOf(text);
      versions.keep(entity);
      if (revision === entity.revision) return { entity, text };
      const file = { path: entity.path, modified: now().getTime(), revision };
      const present = readEntity(file, readParts(text).values);
      if (present?.id === entity.id) return { entity: present, text };
      throw new ToolFailure('conflict', `“${entity.path}” is not ${entity.id} any more.`, {
        hint: 'It was changed by another program just now. Search for it again.',
        revision,
      });
    },
    put: async (path, text, like) => {
      await draft.write(path, text, like);
      const file = { path, modified: now().getTime(), revision: revisionOf(text) };
      const entity = readEntity(file, readParts(text).values);
      if (!entity) throw new Error(`The note “${path}” would be no entity.`);
      changed.set(entity.id, entity);
      versions.keepBody(entity, bodyOf(text));
      return entity;
    },
    savepoint: () => {
      const before = new Map(changed);
      return () => {
        changed = before;
      };
    },
  };
}
