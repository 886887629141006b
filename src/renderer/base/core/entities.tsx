import { useEffect } from 'react';
import { create } from 'zustand';
import type { EntityBrief } from '../../../contract/projects';
import { useCore, useLatest } from './core';

interface Entities {
  /** Ids that were seen in notes; the newest last. */
  readonly ids: ReadonlySet<string>;
  /** Those of them that exist. */
  readonly briefs: ReadonlyMap<string, EntityBrief>;
  want(ids: Iterable<string>): void;
}

const most = 500;

/** What is known of the entities that the open notes name. */
export const useEntities = create<Entities>((set, get) => ({
  ids: new Set(),
  briefs: new Map(),
  want(ids) {
    const { ids: before } = get();
    const fresh = [...ids].filter((id) => !before.has(id));
    if (fresh.length > 0) set({ ids: new Set([...before, ...fresh].slice(-most)) });
  },
}));

/** Finds what is wanted, again whenever the project has changed. Asks nothing before a note names an id. */
export function EntityKnowledge() {
  const isAsked = useEntities((entities) => entities.ids.size > 0);
  return isAsked ? <Follow /> : null;
}

const everything = {};

function Follow() {
  const core = useCore();
  const state = useLatest('projects.state', everything).item;
  const revision = state?.kind === 'ready' ? state.revision : null;
  const ids = useEntities((entities) => entities.ids);
  useEffect(() => {
    if (revision === null) return useEntities.setState({ briefs: new Map() });
    const leaving = new AbortController();
    core.call('projects.find', { ids: [...ids] }, { signal: leaving.signal, waits: true }).then(
      (all) => useEntities.setState({ briefs: new Map(all.map((entity) => [entity.id, entity])) }),
      // Without an answer an id is text like any other.
      () => undefined,
    );
    return () => leaving.abort();
  }, [core, revision, ids]);
  return null;
}
