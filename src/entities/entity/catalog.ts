import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readFileInsideSync, readStartAtSync, readStartInside } from '../../files';
import { findHeadings } from '../../markdown';
import { plainEnds } from '../base/line-ends';
import { ownCopy } from '../base/own-copy';
import { createWordIndex, type WordIndex } from '../search/word-index';
import { rest } from '../store/at-rest';
import { revisionOf } from '../store/hash';
import { type LeftOut, stampOf } from '../store/left-out';
import { type OwnRecord, textOf } from '../store/own-records';
import type { Tree } from '../store/tree';
import type { VaultFile } from '../store/vault-file';
import { isNote } from '../store/workspaces';
import { type ChangedAt, createChangedAt } from './changed-at';
import { type Entity, type EntityType, numberOf, parseId, printId } from './model';
import { linkWords, mayLinkTo } from './note-links';
import { lastGiven, type Numbers, numbersBy } from './numbers';
import { nameOf, readEntity, readParts } from './read';
import { type Id, idInName, idsTaken, mayHoldText } from './taken';
import { type Trouble, troubleOf, type Unread, unreadIn } from './trouble';
import { createVersions, type Versions } from './versions';

export interface NoteHead {
  readonly title: string;
  /** `type` of the front matter. */
  readonly type: string | null;
}

interface Note extends NoteHead {
  readonly entity: Entity | null;
  readonly trouble: Trouble | null;
  readonly unread: Unread | null;
  /** What its links say. */
  readonly links: string;
}

/** A file or folder that the vault leaves out. */
export interface Unseen extends LeftOut {
  /** What a note says it is, or is called. */
  readonly id: string | null;
}

/** The entities of the vault at one moment. */
export interface Entities {
  get(id: string): Entity | undefined;
  /** In the order of their ids. */
  all(): readonly Entity[];
  children(id: string): readonly Entity[];
  dependents(id: string): readonly Entity[];
  /** All that have the id. */
  sharing(id: string): readonly Entity[];
  /** Ids that more than one note has, with their paths. */
  duplicates(): ReadonlyMap<string, readonly string[]>;
  /** Notes whose front matter can't be read. */
  unreadable(): readonly string[];
  /** Notes that may be entities and are none, by path. */
  troubled(): ReadonlyMap<string, Trouble>;
  /** Notes that may have links to one of these. */
  linking(paths: readonly string[]): readonly string[];
  /** What was not taken of the note at a path, though it is an entity. */
  unread(path: string): Unread | null;
  /** Whether a file that is no entity now bears this id, in its name or in front matter that can't be read. */
  isBorne(id: string): boolean;
  /** As they would be with another text of a note. */
  withText(path: string, text: string): Entities;
  /** What lies in the vault's folder and nothing else here knows of. */
  leftOut(): readonly Unseen[];
  /** Whether something of that name is there, in whatever case it is written, be it left out or not. */
  isTaken(path: string): boolean;
  /** The highest numbers that were seen so far: in names, in whatever can't be read, as an id that somebody is waiting for. */
  readonly highest: Numbers;
}

export interface Catalog {
  /** Catches up with the disk first. */
  entities(looking?: 'events' | 'folders'): Promise<Entities>;
  /** As they were last caught up with: inside a change, which has caught up with the folders already. */
  present(): Promise<Entities>;
  readonly search: WordIndex['search'];
  /** Does what the first search would otherwise wait for. */
  prepareSearch(): Promise<void>;
  head(file: VaultFile): Promise<NoteHead>;
  /** The id of the entity that a note was when it was last read. */
  idAt(path: string): string | null;
  readonly versions: Versions;
  readonly changedAt: ChangedAt;
}

const headBytes = 8192;
/** As large as a note that can be read at all. */
const largestNote = 20 * 1024 * 1024;
/** Of very long notes only the beginning is searched. */
const mostSearched = 1024 * 1024;
const breathe = 20;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** In `.interlinear/`: which notes were seen, and when they were changed. */
export const seenName = 'vault-seen.txt';

/** Reads every note once, and again when it changes. */
export function createCatalog(parts: {
  readonly root: string;
  readonly tree: Tree;
  readonly readSeen: () => Promise<OwnRecord>;
  readonly now: () => Date;
}): Catalog {
  const { root, tree, readSeen } = parts;
  const notes = new Map<string, Note>();
  const heads = new Map<string, NoteHead & { readonly modified: number; readonly size: number }>();
  const byId = new Map<string, Entity[]>();
  const words = createWordIndex();
  const versions = createVersions();
  const changedAt = createChangedAt(parts.now);
  const highest: Record<EntityType, number> = { ...numbersBy(() => 0) };
  let loading: Promise<void> | null = null;
  let stale = new Set<string>();
  /** Since when a note is tried to be read for the first time, while somebody is saving it. Milliseconds since 1970. */
  const waited = new Map<string, number>();
  let view: Entities | null = null;
  let reading: Promise<void> | null = null;

  tree.onChange((path) => {
    if (isNote(path) || mayHoldText(nameWithEnd(path))) stale.add(path);
    else count(idInName(path));
  });

  async function catchUp(): Promise<void> {
    loading ??= readSeen().then((record) => changedAt.load(textOf(record)));
    await loading;
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
    const short: string[] = [];
    for (const path of paths) {
      if (take(path)) waited.delete(path);
      else {
        tree.lookAgain(path);
        short.push(path);
      }
      if (performance.now() < until) continue;
      await turn();
      until = performance.now() + breathe;
    }
    if (short.length === 0) return;
    await tree.refresh();
    const unknown = short.filter((path) => !notes.has(path) && waitsFor(path));
    if (unknown.length === 0) return;
    // What is known stays as it was; here nobody knows yet what it was.
    await wait(rest.text);
    for (const path of unknown) stale.add(path);
  }

  function waitsFor(path: string): boolean {
    const since = waited.get(path) ?? Date.now();
    waited.set(path, since);
    return tree.get(path) !== undefined && Date.now() - since < rest.empty;
  }

  /** False for a file that holds less than it did a moment ago: somebody is saving it. */
  function take(path: string): boolean {
    const file = tree.get(path);
    count(idInName(path));
    const isWhole = file !== undefined && isNote(path) && file.size <= largestNote;
    const bytes = file && (isWhole ? bytesOf(path) : startSync(join(root, ...path.split('/'))));
    if (isWhole && bytes && bytes.length < file.size) return false;
    const before = notes.get(path)?.entity;
    if (before) drop(before);
    view = null;
    for (const id of bytes ? idsTaken(bytes) : []) count(id);
    // A link is another name for a note, no second one.
    if (!file || !bytes || !isNote(path) || file.isLink) {
      notes.delete(path);
      return true;
    }
    const note = readNote({ ...file, bytes, isWhole }, changedAt);
    const { entity } = note;
    if (entity) count({ type: entity.type, number: numberOf(entity) });
    const { body, ...kept } = note;
    notes.set(path, kept);
    if (!entity) return true;
    if (before?.id === entity.id && before.revision !== entity.revision) versions.keep(before);
    const others = byId.get(entity.id) ?? [];
    byId.set(entity.id, [...others, entity].sort(byClaim));
    words.put(entity.id, entity.title, searchable(entity, body.slice(0, mostSearched)));
    return true;
  }

  function count(id: Id | null): void {
    if (id && id.number <= lastGiven && id.number > highest[id.type]) highest[id.type] = id.number;
  }

  function drop(entity: Entity): void {
    const left = (byId.get(entity.id) ?? []).filter((each) => each !== entity);
    if (left.length > 0) byId.set(entity.id, left);
    else {
      byId.delete(entity.id);
      words.remove(entity.id);
    }
  }

  function bytesOf(path: string): Buffer | null {
    try {
      return readFileInsideSync(root, path, largestNote);
    } catch {
      return null;
    }
  }

  function startSync(place: string | Buffer): Buffer | null {
    try {
      return readStartAtSync(place, headBytes);
    } catch {
      return null;
    }
  }

  /** Ids in what is left out; each file is looked at again when it changes. */
  let unseen: readonly Unseen[] = [];
  let lookedAt: readonly LeftOut[] = [];
  let read = new Map<string, { readonly stamp: string; readonly ids: readonly Id[] }>();
  function readLeftOut(): void {
    if (lookedAt === tree.leftOut()) return;
    lookedAt = tree.leftOut();
    const now: typeof read = new Map();
    const before = unseen;
    const all = lookedAt.map((each) => {
      if (each.kind !== 'file') return { ...each, id: null };
      const named = idInName(each.path);
      count(named);
      if (!mayHoldText(nameWithEnd(each.path))) return { ...each, id: null };
      const key = each.place.toString('latin1');
      const stamp = stampOf(each.place);
      const known = read.get(key);
      const ids = known?.stamp === stamp ? known.ids : idsTaken(startSync(each.place) ?? Buffer.of());
      now.set(key, { stamp, ids });
      for (const id of ids) count(id);
      const id = ids[0] ?? named;
      return { ...each, id: id && isNote(each.path) ? printed(id) : null };
    });
    read = now;
    unseen = all.filter(({ isStored }) => !isStored);
    const isSame =
      before.length === unseen.length &&
      unseen.every((each, at) => each.path === before[at]?.path && each.id === before[at].id);
    if (!isSame) view = null;
  }

  /** Of what is no entity: what may become one again with the id that it bears. */
  function* borne(): Iterable<Id | null> {
    for (const { path } of tree.files()) {
      const note = notes.get(path);
      if (note?.entity) continue;
      yield idInName(path);
      if (note?.trouble && note.trouble.kind !== 'no-id') yield parseId(note.trouble.id ?? '');
    }
    for (const { path, id } of unseen) {
      yield idInName(path);
      yield parseId(id ?? '');
    }
  }

  /** Lower case; folders, too. */
  function* places(): Iterable<string> {
    for (const { path } of [...tree.files(), ...unseen]) {
      for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1))
        yield path.slice(0, at).toLowerCase();
    }
  }

  async function present(): Promise<Entities> {
    await catchUp();
    readLeftOut();
    view ??= createEntities({ byId, notes, highest, changedAt, borne, places, leftOut: () => unseen });
    return view;
  }

  return {
    present,
    versions,
    changedAt,
    entities: async (looking) => {
      await tree.refresh(looking);
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
      const { values } = readParts(text);
      const head = headOf(file.path, text, values, readEntity({ ...file, revision: '' }, values));
      heads.set(file.path, { ...head, modified: file.modified, size: file.size });
      return head;
    },
  };
}

function readNote(
  file: {
    readonly path: string;
    readonly modified: number;
    readonly bytes: Buffer;
    readonly isWhole: boolean;
  },
  changedAt: ChangedAt,
): Note & { readonly body: string } {
  const { path, modified, bytes, isWhole: whole } = file;
  const text = bytes.toString('utf8');
  const parts = readParts(text);
  const entity = whole
    ? readEntity({ path, modified, revision: revisionOf(bytes) }, parts.values, changedAt.of)
    : null;
  const unread = unreadIn(bytes, parts.head);
  const problem = unread?.problem ?? null;
  const { hasSeen } = changedAt;
  const trouble = entity
    ? null
    : troubleOf({ path, bytes, text, parts, whole, problem, named: idInName(path), hasSeen });
  const links = text.includes('](') || text.includes('[[') ? ownCopy(linkWords(text)) : '';
  return { ...headOf(path, text, parts.values, entity), entity, trouble, unread, links, body: parts.body };
}

function createEntities(parts: {
  readonly byId: ReadonlyMap<string, readonly Entity[]>;
  readonly notes: ReadonlyMap<string, Note>;
  readonly highest: Numbers;
  readonly changedAt: ChangedAt;
  readonly borne: () => Iterable<Id | null>;
  readonly places: () => Iterable<string>;
  readonly leftOut: Entities['leftOut'];
}): Entities {
  const { byId, notes } = parts;
  let all: readonly Entity[] | null = null;
  let children: Map<string, Entity[]> | null = null;
  let dependents: Map<string, Entity[]> | null = null;
  let borne: Set<string> | null = null;
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
    sharing: (id) => byId.get(id) ?? [],
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
      for (const [path, { trouble }] of notes) if (trouble?.kind === 'unreadable') found.push(path);
      return found.sort();
    },
    troubled: () => {
      const found = new Map<string, Trouble>();
      for (const [path, { trouble }] of notes) if (trouble) found.set(path, trouble);
      return found;
    },
    linking: (paths) => {
      const isOne = mayLinkTo(paths);
      return [...notes].filter(([, { links }]) => links !== '' && isOne(links)).map(([path]) => path);
    },
    unread: (path) => notes.get(path)?.unread ?? null,
    isBorne: (id) => {
      borne ??= new Set([...parts.borne()].filter((each) => each !== null).map(printed));
      const wanted = parseId(id);
      return wanted !== null && borne.has(printed(wanted));
    },
    leftOut: parts.leftOut,
    isTaken: (path) => {
      const wanted = path.toLowerCase();
      for (const place of parts.places()) if (place === wanted) return true;
      return false;
    },
    highest: parts.highest,
    withText: (path, text) => {
      const [then, ids] = [new Map(notes), new Map(byId)];
      const before = notes.get(path)?.entity;
      if (before) {
        ids.set(
          before.id,
          (ids.get(before.id) ?? []).filter((each) => each !== before),
        );
      }
      const file = { path, modified: Date.now(), bytes: Buffer.from(text), isWhole: true };
      const { body: _, ...note } = readNote(file, { ...parts.changedAt, of: ({ updated }) => updated ?? '' });
      then.set(path, note);
      if (note.entity)
        ids.set(note.entity.id, [...(ids.get(note.entity.id) ?? []), note.entity].sort(byClaim));
      return createEntities({ ...parts, notes: then, byId: ids });
    },
  };
}

/**
 * Of several notes with one id the first is meant: one that is not archived, then who is called by it, then who is older,
 * then who has the shorter name, as copies have longer ones.
 */
function byClaim(a: Entity, b: Entity): number {
  const isOtherwiseCalled = ({ id, path }: Entity) =>
    !path.slice(path.lastIndexOf('/') + 1).startsWith(`${id} `);
  const [one, two] = [a.created ?? '~', b.created ?? '~'];
  return (
    Number(a.archived) - Number(b.archived) ||
    Number(isOtherwiseCalled(a)) - Number(isOtherwiseCalled(b)) ||
    (one < two ? -1 : one > two ? 1 : 0) ||
    a.path.length - b.path.length ||
    (a.path < b.path ? -1 : 1)
  );
}

const printed = ({ type, number }: { type: EntityType; number: number }) => printId(type, number);

const nameWithEnd = (path: string) => path.slice(path.lastIndexOf('/') + 1);

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

function headOf(
  path: string,
  text: string,
  values: Readonly<Record<string, unknown>> | null,
  entity: Entity | null,
): NoteHead {
  const { title, type } = values ?? {};
  return {
    title: typeof title === 'string' && title !== '' ? title : (firstHeading(text) ?? nameOf(path)),
    // What an entity is, its id says.
    type: entity?.type ?? (typeof type === 'string' ? type : null),
  };
}

function firstHeading(text: string): string | undefined {
  if (!/^ {0,3}(?:# |=+\s*$)/m.test(text)) return undefined;
  const found = findHeadings(plainEnds(text)).find((each) => each.level === 1);
  return found && ownCopy(found.title);
}
