import { z } from 'zod';
import type { Catalog, Entities } from '../entities/catalog';
import { createEdit, type Edit } from '../entities/edit';
import type { FieldSource } from '../entities/fields';
import { ToolFailure } from '../failures';
import type { Draft } from '../files/draft';
import type { Store } from '../files/store';
import { entityFolders } from '../workspaces';

/** What every tool works with. */
export interface VaultParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly now: () => Date;
}

export const Fields = z.array(z.string()).min(1).max(50).optional();
export const EntityRecord = z.record(z.string(), z.unknown());

export function fieldSource({ store }: VaultParts, entities: Entities): FieldSource {
  return {
    children: entities.children,
    dependents: entities.dependents,
    text: async (entity) => {
      const document = await store.find(entity.path);
      if (document) return document.text;
      throw new ToolFailure('not_found', `The note of ${entity.id} is gone.`);
    },
  };
}

/** Runs changes of entities alone among all writers; they are kept whole or not at all. */
export function changeEntities<T>(
  { store, catalog, now }: VaultParts,
  work: (edit: Edit, draft: Draft) => Promise<T>,
  looking: 'events' | 'folders' = 'folders',
): Promise<T> {
  return store.change(async (draft) => {
    const [entities, folders] = await Promise.all([catalog.present(), entityFolders(store)]);
    return work(createEdit({ draft, entities, folders, now }), draft);
  }, looking);
}
