import { revisionLength } from '../../base/hash';
import type { Entity } from '../model/model';

/** What an entity was when somebody read it. */
export interface Version {
  readonly values: Entity['values'];
  readonly archived: boolean;
  /** Null: its text was given to nobody. */
  readonly body: string | null;
}

/** Earlier versions of entities: what a change that comes late was made to. In memory; the oldest are forgotten. */
export interface Versions {
  keep(entity: Entity): void;
  /** Of an entity whose text is handed out or written. */
  keepBody(entity: Entity, body: string): void;
  find(id: string, revision: string): Version | null;
  /** Of any note whose text is handed out or written. */
  keepText(hash: string, text: string): void;
  /** By its hash, or the beginning of it that is a revision. Null: forgotten. */
  text(hash: string): string | null;
}

const mostVersions = 2_000;
const mostText = 8 * 1024 * 1024;

export function createVersions(): Versions {
  const heads = new Map<string, Pick<Entity, 'values' | 'archived'>>();
  const bodies = createTexts();
  const texts = createTexts();
  const keyOf = (id: string, revision: string) => `${id} ${revision}`;

  function keep({ id, revision, values, archived }: Entity): void {
    const key = keyOf(id, revision);
    heads.delete(key);
    heads.set(key, { values, archived });
    for (const oldest of heads.keys()) {
      if (heads.size <= mostVersions) break;
      heads.delete(oldest);
    }
  }

  return {
    keep,
    keepBody: (entity, body) => {
      keep(entity);
      bodies.keep(keyOf(entity.id, entity.revision), body);
    },
    find: (id, revision) => {
      const key = keyOf(id, revision);
      const head = heads.get(key);
      return head ? { ...head, body: bodies.get(key) ?? null } : null;
    },
    keepText: (hash, text) => texts.keep(hash.slice(0, revisionLength), text),
    text: (hash) => texts.get(hash.slice(0, revisionLength)) ?? null,
  };
}

/** As many as there is room for, the latest. */
function createTexts() {
  const texts = new Map<string, string>();
  let characters = 0;
  function forget(key: string): void {
    characters -= texts.get(key)?.length ?? 0;
    texts.delete(key);
  }
  return {
    get: (key: string) => texts.get(key),
    keep: (key: string, text: string) => {
      forget(key);
      texts.set(key, text);
      characters += text.length;
      for (const oldest of texts.keys()) {
        if (characters <= mostText) break;
        forget(oldest);
      }
    },
  };
}
