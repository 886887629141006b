import { type Entity, parseId, printedId } from '../model/model';
import type { Numbers } from '../model/numbers';
import type { ChangedAt } from '../note/changed-at';
import { mayLinkTo } from '../note/note-links';
import { type Note, readNote } from '../note/read-note';
import type { Id } from '../note/taken';
import type { Trouble, Unread } from '../note/trouble';
import type { Unseen } from './unseen';

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

/** Longer than most: a list of questions, each answered from what is already read. */
export function createEntities(parts: {
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
      const pathsById = new Map<string, readonly string[]>();
      for (const same of byId.values()) {
        const [first, second] = same;
        if (first && second)
          pathsById.set(
            first.id,
            same.map((entity) => entity.path),
          );
      }
      return pathsById;
    },
    unreadable: () => {
      const paths: string[] = [];
      for (const [path, { trouble }] of notes) if (trouble?.kind === 'unreadable') paths.push(path);
      return paths.sort();
    },
    troubled: () => {
      const troubles = new Map<string, Trouble>();
      for (const [path, { trouble }] of notes) if (trouble) troubles.set(path, trouble);
      return troubles;
    },
    linking: (paths) => {
      const isOne = mayLinkTo(paths);
      return [...notes].filter(([, { links }]) => links !== '' && isOne(links)).map(([path]) => path);
    },
    unread: (path) => notes.get(path)?.unread ?? null,
    isBorne: (id) => {
      borne ??= new Set([...parts.borne()].filter((each) => each !== null).map(printedId));
      const parsed = parseId(id);
      return parsed !== null && borne.has(printedId(parsed));
    },
    leftOut: parts.leftOut,
    isTaken: (path) => {
      const lower = path.toLowerCase();
      for (const place of parts.places()) if (place === lower) return true;
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
export function byClaim(a: Entity, b: Entity): number {
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
