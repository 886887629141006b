import { changeEntities, fieldSource, readAtOnce } from './change/change';
import type { Edit } from './change/edit';
import { findings, type Repaired, repair, takeBack, type Undo } from './checkup';
import type { Entities } from './entity/index/entities';
import type { EntityIndex } from './entity/index/entity-index';
import type { Entity } from './entity/model/model';
import type { Finding } from './insight/finding';
import { openEntities } from './open-entities';
import type { Draft } from './store/batch/draft';
import type { Store } from './store/store';
import type { VaultFile } from './store/tree/vault-file';
import { findWorkspaces, isNote, type Workspace } from './store/workspaces';

export { type Failure, ToolFailure, toFailure } from './base/failures';
export { type Canvas, checkCanvasPath, derived, entityShown, parseCanvas } from './canvas/canvas';
export { impliedEdges, type Place, withEntities, withPlaces } from './canvas/canvas-many';
export type { Repaired, Undo } from './checkup';
export { wholeReading } from './entity/handed-out/reading';
export type { Entities } from './entity/index/entities';
export {
  type Entity,
  type EntityType,
  entityTypes,
  type FieldKind,
  idsIn,
  isOpen,
  isWork,
  kinds,
  priorities,
  writableFields,
} from './entity/model/model';
export { bodyOf, writtenField } from './entity/note/note-text';
export { idOf } from './entity/note/read';
export { entityNamed } from './entity/references/find';
export { analyze } from './insight/analysis';
export { decisionHistory, documentHistory, freshness } from './insight/documents';
export type { Finding, Repair } from './insight/finding';
export { examine, isOverdue } from './insight/work';

/**
 * The entities of one vault for a host in the same process: the same index, rules, drafts and lock as those of the
 * server's tools.
 */
export interface Project {
  /** Catches up with the disk first. */
  entities(looking?: 'events' | 'folders'): Promise<Entities>;
  readonly search: EntityIndex['search'];
  readonly find: Store['find'];
  files(): readonly VaultFile[];
  workspaces(): Promise<readonly Workspace[]>;
  /** The text that an entity is of; fails where the note is another one by now: see `readAtOnce`. */
  text(entity: Entity): Promise<string>;
  /** Reads anew, as the folders are by then, where a note became another one, or was moved, while it was read. */
  readAtOnce<T>(read: () => Promise<T>): Promise<T>;
  /** Alone among all writers; kept whole or not at all. */
  change<T>(work: (edit: Edit, draft: Draft) => Promise<T>, looking?: 'events' | 'folders'): Promise<T>;
  /** All that is wrong. */
  findings(): Promise<readonly Finding[]>;
  /** Of findings with these keys. */
  repair(keys: readonly string[]): Promise<Repaired>;
  takeBack(undo: Undo): Promise<Undo>;
  close(): void;
}

/** `onChange` hears, soon after it happened, that an entity or a canvas is another one than before. */
export async function openProject(parts: {
  readonly root: string;
  readonly now: () => Date;
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
}): Promise<Project> {
  const { onChange, report } = parts;
  const shared = openEntities(parts);
  const { tree, store, entityIndex } = shared;
  let touched = new Map<string, string | null>();
  let looking = false;
  let closed = false;

  await store.settle();
  await entityIndex.entities();
  tree.follow();

  tree.onChange((path) => {
    if (!isNote(path) && !path.endsWith('.canvas')) return;
    if (!touched.has(path)) touched.set(path, entityIndex.idAt(path));
    if (looking) return;
    looking = true;
    setImmediate(() => void look().catch(report));
  });

  async function look(): Promise<void> {
    try {
      await entityIndex.present();
    } finally {
      looking = false;
    }
    const paths = touched;
    touched = new Map();
    const isOurs = [...paths].some(
      ([path, before]) => before !== null || path.endsWith('.canvas') || entityIndex.idAt(path) !== null,
    );
    if (isOurs && !closed) onChange();
  }

  return {
    entities: entityIndex.entities,
    search: entityIndex.search,
    find: store.find,
    files: tree.files,
    workspaces: () => findWorkspaces(store, tree.files()),
    text: async (entity) => fieldSource(shared, await entityIndex.present()).text(entity),
    readAtOnce: (read) => readAtOnce(entityIndex, read),
    change: (work, how) => changeEntities(shared, work, how),
    findings: () => findings(shared),
    repair: (keys) => repair(shared, keys),
    takeBack: (undo) => takeBack(shared, undo),
    close: () => {
      closed = true;
      tree.close();
    },
  };
}
