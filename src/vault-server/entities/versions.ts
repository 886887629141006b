import type { Entity } from './model';

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
}

const mostVersions = 2_000;
const mostText = 8 * 1024 * 1024;

export function createVersions(): Versions {
  const heads = new Map<string, Pick<Entity, 'values' | 'archived'>>();
  const bodies = new Map<string, string>();
  let characters = 0;
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

  function forgetBody(key: string): void {
    characters -= bodies.get(key)?.length ?? 0;
    bodies.delete(key);
  }

  return {
    keep,
    keepBody: (entity, body) => {
      keep(entity);
      const key = keyOf(entity.id, entity.revision);
      forgetBody(key);
      bodies.set(key, body);
      characters += body.length;
      for (const oldest of bodies.keys()) {
        if (characters <= mostText) break;
        forgetBody(oldest);
      }
    },
    find: (id, revision) => {
      const key = keyOf(id, revision);
      const head = heads.get(key);
      return head ? { ...head, body: bodies.get(key) ?? null } : null;
    },
  };
}
