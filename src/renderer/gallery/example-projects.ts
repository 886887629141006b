import { AppError } from '../../contract/errors';
import type { ProjectsState } from '../../contract/projects';
import { live } from './live';

const nothing = (): never => {
  const details = { reason: 'read_only' as const, field: null, hint: null, differences: [] };
  throw new AppError('project.refused', 'The gallery has no project.', details);
};

/** A vault without a project. */
export const exampleProjects = {
  'projects.state': (_: object, { signal }: { signal: AbortSignal }) =>
    live<ProjectsState>({
      kind: 'ready',
      revision: 1,
      entities: 0,
      workstreams: [],
      workspaces: [],
      canvases: [],
    }).follow(signal),
  'projects.overview': () => ({
    counts: {},
    archived: 0,
    workstreams: [],
    milestones: [],
    steps: [],
    blockers: [],
    ready: [],
    criticalPath: [],
    stale: [],
    problems: [],
    totals: { blockers: 0, ready: 0, criticalPath: 0, stale: 0, problems: 0 },
  }),
  'projects.list': () => [],
  'projects.decisions': () => [],
  'projects.find': () => [],
  'projects.entity': nothing,
  'projects.create': nothing,
  'projects.update': nothing,
  'projects.check': () => [],
  'projects.repair': nothing,
  'projects.repairs': () => [],
  'projects.undoRepair': nothing,
  'projects.canvas': nothing,
  'projects.moveNodes': nothing,
  'projects.addMissing': nothing,
};
