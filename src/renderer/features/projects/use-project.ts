import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { InputOf, NameOf, OutputOf } from '../../../contract/define';
import type { EntityType, ProjectsState, projectsOperations } from '../../../contract/projects';
import { useCore, useLatest } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';

type Operations = typeof projectsOperations;
type Asked = Exclude<
  NameOf<Operations, 'call'>,
  `projects.${'create' | 'update' | 'moveNodes' | 'addMissing' | 'repair' | 'undoRepair'}`
>;

export type ProjectPage = 'overview' | 'board' | 'decisions' | 'canvas' | 'check';

interface Choice {
  /** The vault that it was chosen in. */
  readonly vault: string | null;
  readonly page: ProjectPage;
  readonly workstream: string | null;
  readonly workspace: string | null;
  /** The repair that is not offered to be taken back any more. */
  readonly dismissedRepair: string | null;
  /** The entity whose details are shown. */
  readonly shownId: string | null;
  readonly canvas: string | null;
  readonly types: EntityType | 'all';
  set(changes: Partial<Omit<Choice, 'set'>>): void;
}

/** What the person looks at; kept while other tabs are in front. */
export const useChoice = create<Choice>((set) => ({
  vault: null,
  page: 'overview',
  workstream: null,
  workspace: null,
  dismissedRepair: null,
  shownId: null,
  canvas: null,
  types: 'all',
  set,
}));

const everything = {};

/** What was chosen in another vault means nothing in this one. */
export function useOwnChoice(): Choice {
  const choice = useChoice();
  const vault = useLayout((layout) => layout.vault);
  const { set } = choice;
  useEffect(() => {
    if (useChoice.getState().vault === vault) return;
    set({ vault, workstream: null, workspace: null, shownId: null, canvas: null });
  }, [vault, set]);
  return choice.vault === vault ? choice : { ...choice, shownId: null, canvas: null };
}

export function useProjectsState(): ProjectsState | undefined {
  return useLatest('projects.state', everything).item;
}

/** An answer that is asked for again whenever the project is another one; the last one is shown until the next is here. */
export function useProject<N extends Asked>(name: N, input: InputOf<Operations[N]>) {
  const core = useCore();
  const state = useProjectsState();
  const revision = state?.kind === 'ready' ? state.revision : null;
  const question = JSON.stringify(input);
  return useQuery<OutputOf<Operations[N]>>({
    queryKey: [name, question, revision],
    queryFn: ({ signal }) => core.call(name, input, { signal, waits: true }),
    placeholderData: (before, query) => (query?.queryKey[1] === question ? before : undefined),
    enabled: revision !== null,
    gcTime: 10_000,
  });
}
