import type { Handlers } from '../../contract/define';
import type { projectsOperations } from '../../contract/projects';
import type { App } from '../app';

export function projectsHandlers({ projects }: App): Handlers<typeof projectsOperations> {
  return {
    'projects.state': (_input, { signal }) => projects.state(signal),
    'projects.overview': projects.overview,
    'projects.list': projects.list,
    'projects.decisions': projects.decisions,
    'projects.entity': projects.entity,
    'projects.find': projects.find,
    'projects.create': projects.create,
    'projects.update': projects.update,
    'projects.check': projects.check,
    'projects.repair': projects.repair,
    'projects.repairs': projects.repairs,
    'projects.undoRepair': projects.undoRepair,
    'projects.canvas': projects.canvas,
    'projects.moveNodes': projects.moveNodes,
    'projects.addMissing': projects.addMissing,
  };
}
