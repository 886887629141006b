import { readFileInsideSync, readStartInside } from '../../files';
import { findHeadings } from '../../markdown';
import type { Tree, VaultFile } from '../files/tree';
import { ownCopy } from '../own-copy';
import { createWordIndex, type WordIndex } from '../search/word-index';
import { isNote } from '../workspaces';
import { type Entity, type EntityType, entityTypes, numberOf, parseId } from './model';
import { nameOf, readEntity, readParts } from './read';

export interface NoteHead {
  readonly title: string;
  /** `type` of the front matter. */
  readonly type: string | null;
}

interface Note extends NoteHead {
  readonly entity: Entity | null;
  /** Its file name begins with this id; a note whose front matter is just being repaired by hand keeps its number so. */
  readonly named: ReturnType<typeof parseId>;
  readonly problem: string | null;
}

/** The entities of the vault at one moment. */
export interface Entities {
  get(id: string): Entity | undefined;
  /** In the order of their ids. */
  all(): readonly Entity[];
  children(id: string): readonly Entity[];
  dependents(id: string): readonly Entity[];
  /** Ids that more than one note has, with their paths. */
  duplicates(): ReadonlyMap<string, readonly string[]>;
  /** Notes whose front matter can't be read. */
  unreadable(): readonly string[];
  /** The highest number in use, names of notes included. */
  highest(type: EntityType): number;
}

export interface Catalog {
  /** Catches up with the disk first. */
  entities(): Promise<Entities>;
  /** As they were last caught up with: inside a change, which has caught up with the folders already. */
  present(): Promise<Entities>;
  readonly search: WordIndex['search'];
  /** Does what the first search would otherwise wait for. */
  prepareSearch(): Promise<void>;
  head(file: VaultFile): Promise<NoteHead>;
  /** The id of the entity that a note was when it was last read. */
  idAt(path: string): string | null;
}

const headBytes = 8192;
const largestNote = 5 * 1024 * 1024;
const breathe = 20;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Reads every note once, and again when it changes. */
export function createCatalog({ root, tree }: { root: string; tree: Tree }): Catalog {
  const notes = new Map<string, Note>();
  const heads = new Map<string, NoteHead & { readonly modified: number; readonly size: number }>();
  const byId = new Map<string, Entity[]>();
  const words = createWordIndex();
  let stale = new Set<string>();
  let view: Entities | null = null;
  let reading: Promise<void> | null = null;

  tree.onChange((path) => {
    if (isNote(path)) stale.add(path);
  });

  async function catchUp(): Promise<void> {
    while (stale.size > 0 || reading !== null) {
      reading ??= readStale().finally(() => {
        reading = null;
      });
      await reading;
    }
  }

  async function readStale(): Promise<void> {
    let until = performance.now() + breathe;
    const paths = stale;
    stale = new Set();
    for (const path of paths) {
      take(path);
      if (performance.now() < until) continue;
      await turn();
      until = performance.now() + breathe;
    }
  }

  function take(path: string): void {
    const file = tree.get(path);
    const before = notes.get(path)?.entity;
    if (before) drop(before);
    const text = file && file.size <= largestNote ? textOf(path) : null;
    view = null;
    if (!file || text === null) {
      notes.delete(path);
      return;
    }
    const parts = readParts(text);
    const entity = readEntity(file, parts.values);
    notes.set(path, {
      ...headOf(path, text, parts.values),
      entity,
      named: idInName(path),
      problem: parts.problem,
    });
    if (!entity) return;
    const others = byId.get(entity.id) ?? [];
    byId.set(
      entity.id,
      [...others, entity].sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
    words.put(entity.id, entity.title, searchable(entity, parts.body));
  }

  function drop(entity: Entity): void {
    const left = (byId.get(entity.id) ?? []).filter((each) => each !== entity);
    if (left.length > 0) byId.set(entity.id, left);
    else {
      byId.delete(entity.id);
      words.remove(entity.id);
    }
  }

  function textOf(path: string): string | null {
    try {
      return readFileInsideSync(root, path, largestNote).toString('utf8');
    } catch {
      return null;
    }
  }

  async function present(): Promise<Entities> {
    await catchUp();
    view ??= createEntities(byId, notes);
    return view;
  }

  return {
    present,
    entities: async () => {
      await tree.refresh();
      return present();
    },
    search: words.search,
    prepareSearch: async () => {
      while (!words.catchUp(breathe)) await turn();
    },
    idAt: (path) => notes.get(path)?.entity?.id ?? null,
    head: async (file) => {
      const known = stale.has(file.path) ? undefined : notes.get(file.path);
      if (known) return known;
      if (!isNote(file.path)) return { title: nameOf(file.path), type: null };
      const before = heads.get(file.path);
      if (before?.modified === file.modified && before.size === file.size) return before;
      const text = (await readStartInside(root, file.path, headBytes)).toString('utf8');
      const head = headOf(file.path, text, readParts(text).values);
      heads.set(file.path, { ...head, modified: file.modified, size: file.size });
      return head;
    },
  };
}

function createEntities(
  byId: ReadonlyMap<string, readonly Entity[]>,
  notes: ReadonlyMap<string, Note>,
): Entities {
  let all: readonly Entity[] | null = null;
  let children: Map<string, Entity[]> | null = null;
  let dependents: Map<string, Entity[]> | null = null;
  let highest: Map<EntityType, number> | null = null;
  const get = (id: string): Entity | undefined => byId.get(id)?.[0];
  const everyone = (): readonly Entity[] => {
    all ??= [...byId.values()]
      .map((same) => same[0])
      .filter((entity) => entity !== undefined)
      .sort((a, b) => a.order - b.order);
    return all;
  };
  return {
    get,
    all: everyone,
    children: (id) => {
      children ??= grouped(everyone(), (entity) => (entity.parent === null ? [] : [entity.parent]));
      return children.get(id) ?? [];
    },
    dependents: (id) => {
      dependents ??= grouped(everyone(), (entity) => entity.dependsOn);
      return dependents.get(id) ?? [];
    },
    duplicates: () => {
      const found = new Map<string, readonly string[]>();
      for (const same of byId.values()) {
        const [first, second] = same;
        if (first && second)
          found.set(
            first.id,
            same.map((entity) => entity.path),
          );
      }
      return found;
    },
    unreadable: () => {
      const found: string[] = [];
      for (const [path, note] of notes) if (note.problem !== null) found.push(path);
      return found.sort();
    },
    highest: (type) => {
      highest ??= highestNumbers(notes.values());
      return highest.get(type) ?? 0;
    },
  };
}

function highestNumbers(notes: Iterable<Note>): Map<EntityType, number> {
  const highest = new Map<EntityType, number>(entityTypes.map((type) => [type, 0]));
  const count = (type: EntityType, number: number): void => {
    if (number > (highest.get(type) ?? 0)) highest.set(type, number);
  };
  for (const { entity, named } of notes) {
    if (entity) count(entity.type, numberOf(entity));
    if (named) count(named.type, named.number);
  }
  return highest;
}

function idInName(path: string): Note['named'] {
  const id = /(?:^|\/)((?:M|S|T|DEC|DOC)-\d{3,9})(?= |\.)[^/]*$/.exec(path)?.[1];
  return id === undefined ? null : parseId(id);
}

function grouped(
  all: readonly Entity[],
  keysOf: (entity: Entity) => readonly string[],
): Map<string, Entity[]> {
  const groups = new Map<string, Entity[]>();
  for (const entity of all) {
    for (const key of keysOf(entity)) {
      const group = groups.get(key);
      if (group) group.push(entity);
      else groups.set(key, [entity]);
    }
  }
  return groups;
}

/** Body and front matter texts; names of fields are no words of an entity. */
function searchable(entity: Entity, body: string): string {
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

function headOf(path: string, text: string, values: Readonly<Record<string, unknown>> | null): NoteHead {
  const { title, type } = values ?? {};
  return {
    title: typeof title === 'string' && title !== '' ? title : (firstHeading(text) ?? nameOf(path)),
    type: typeof type === 'string' ? type : null,
  };
}

function firstHeading(text: string): string | undefined {
  if (!/^ {0,3}# /m.test(text)) return undefined;
  const found = findHeadings(text.replaceAll('\r\n', '\n')).find((each) => each.level === 1);
  return found && ownCopy(found.title);
}
