import { expect, test } from 'vitest';
import type { ProjectsState } from '../../contract/projects';
import { createLog } from '../foundation';
import type { OpenedProject } from './answers';
import { createCurrentProject } from './current-project';

const log = createLog(() => undefined);

const ready = (entities: number): ProjectsState => ({
  kind: 'ready',
  ...{ revision: 1, entities, workstreams: [], workspaces: [], canvases: [] },
});

/** The project at `old` is described when the test says so, the one at `new` at once. */
function twoProjects() {
  const slow = Promise.withResolvers<ProjectsState>();
  const described: Record<string, () => Promise<ProjectsState>> = {
    old: () => slow.promise,
    new: async () => ready(2),
  };
  const current = createCurrentProject(async (root) => {
    const state = described[root] as OpenedProject['state'];
    return { state, close: () => undefined } as OpenedProject;
  }, log);
  return { current, slow };
}

test('a project that is opened while the last one is still described is described as well', async () => {
  const { current, slow } = twoProjects();
  await current.openAt('old');
  await current.openAt('new');
  slow.resolve(ready(1));
  await expect.poll(() => current.state.get()).toEqual(ready(2));
});

test('what goes wrong with a project that was left says nothing of the one that is open', async () => {
  const { current, slow } = twoProjects();
  await current.openAt('old');
  await current.openAt('new');
  slow.reject(new Error('closed'));
  await slow.promise.catch(() => undefined);
  await expect.poll(() => current.state.get()).toEqual(ready(2));
});
