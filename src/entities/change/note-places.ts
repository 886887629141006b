import { toFailure } from '../base/failures';
import { type Entity, kinds } from '../entity/model/model';
import type { Draft } from '../store/batch/draft';
import { type EntityFolders, isNote } from '../store/workspaces';

/** Where the notes of entities stand. */
export interface NotePlaces {
  /** Where it is archived, or where it comes back to: what lay elsewhere goes back there. */
  pathFor(entity: Entity, archived: boolean): Promise<string>;
  isUsual(entity: Entity): boolean;
}

export function createNotePlaces({
  draft,
  folders,
}: {
  readonly draft: Draft;
  readonly folders: EntityFolders;
}): NotePlaces {
  async function free(entity: Entity, path: string): Promise<string> {
    for (let count = 1; ; count++) {
      const other = count === 1 ? path : path.replace(/(?=\.[^.]*$)/, ` ${count}`);
      if (other === entity.path || !(await draft.read(other))) return other;
    }
  }

  return {
    pathFor: async (entity, archived) => {
      const { plural } = kinds[entity.type];
      const folder = folders.folderFor(undefined, entity.path);
      const name = entity.path.slice(entity.path.lastIndexOf('/') + 1);
      const from = entity.values.archived_from;
      if (archived) return free(entity, `${folder}/archive/${plural}/${name}`);
      if (typeof from === 'string' && isNote(from)) {
        try {
          return await free(entity, from);
        } catch (error) {
          // Somebody wrote a place there that no note may have.
          if (toFailure(error).code !== 'path_outside_vault') throw error;
        }
      }
      if (!entity.path.includes('/archive/')) return entity.path;
      return free(entity, `${folder}/${plural}/${name}`);
    },
    isUsual: ({ path, type }) => {
      const folder = folders.folderFor(undefined, path);
      return path.slice(0, path.lastIndexOf('/')) === `${folder}/${kinds[type].plural}`;
    },
  };
}
