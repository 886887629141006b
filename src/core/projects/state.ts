import { isUnder } from '../../contract/paths';
import type { ProjectsState } from '../../contract/projects';
import type { Project } from '../../entities/project';

/** The project as a whole, for a screen. */
export async function projectState(project: Project, revision: number): Promise<ProjectsState> {
  const entities = (await project.entities()).all();
  const workspaces = (await project.workspaces()).filter(({ path }) =>
    entities.some((entity) => isUnder(entity.path, path)),
  );
  return {
    kind: 'ready',
    revision,
    entities: entities.length,
    workstreams: [...new Set(entities.map((entity) => entity.workstream))]
      .filter((name) => name !== null)
      .sort(),
    workspaces: workspaces.map(({ name, path }) => ({ name, path })),
    canvases: project
      .files()
      .map((file) => file.path)
      .filter((path) => path.endsWith('.canvas')),
  };
}
