import type { Reading } from '../entity/handed-out/reading';
import type { Seen } from '../entity/handed-out/seen';
import type { Version, Versions } from '../entity/handed-out/versions';
import { isShownWhole } from '../entity/model/field-form';
import type { Entity } from '../entity/model/model';
import { type Bases, isSame, valueIn } from './late-change';

/** What the caller of a change knows of the fields of entities: what it was handed, and what it writes itself. */
export interface KnownFields {
  wrote(id: string, fields: readonly string[]): void;
  /** Fields that the caller itself wrote here, by id. */
  own(): ReadonlyMap<string, ReadonlySet<string>>;
  /** What came with a revision the caller knows as it was then; each other field as it was handed it last. */
  basesFor(entity: Entity, body: string, reading: Reading | undefined): Bases;
  /** Whether the caller was handed what stands in a field. */
  handedIn(entity: Entity, body: string): (field: string) => boolean;
  savepoint(): () => void;
}

export function createKnownFields({
  seen,
  versions,
}: {
  /** By who changes them. */
  readonly seen: Seen | undefined;
  readonly versions: Versions;
}): KnownFields {
  let own = new Map<string, ReadonlySet<string>>();

  function basesFor(entity: Entity, body: string, reading: Reading | undefined): Bases {
    const present: Version = { values: entity.values, archived: entity.archived, body };
    const at = (each: string) => (each === entity.revision ? present : versions.find(entity.id, each));
    const handed = seen?.of(entity.id) ?? new Map<string, string>();
    const ownHere = own.get(entity.id);
    const handedAt = (field: string): Version | null => {
      if (ownHere?.has(field)) return present;
      const then = handed.get(field);
      return then === undefined ? null : at(then);
    };
    if (!reading) {
      const isRead = (field: string) => handedAt(field) !== null;
      return { of: handedAt, isRead, knownFields: handed.keys(), isUntold: true };
    }
    const base = at(reading.revision);
    return {
      of: (field) => (reading.has(field) ? base : (handedAt(field) ?? base)),
      isRead: (field) => reading.has(field) || handedAt(field) !== null,
      knownFields: new Set([...Object.keys({ ...base?.values, ...entity.values }), 'archived', 'body']),
      isUntold: false,
    };
  }

  return {
    wrote: (id, fields) => {
      own.set(id, new Set([...(own.get(id) ?? []), ...fields]));
    },
    own: () => own,
    basesFor,
    handedIn: (entity, body) => {
      const bases = basesFor(entity, body, undefined);
      return (field) => {
        // A person sees it before them.
        if (!seen && isShownWhole(entity, field)) return true;
        const base = bases.of(field);
        return base !== null && isSame(valueIn(base, field), valueIn(entity, field));
      };
    },
    savepoint: () => {
      const before = new Map(own);
      return () => {
        own = before;
      };
    },
  };
}
