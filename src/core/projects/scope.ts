import { isUnder } from '../../contract/paths';
import type { ProjectScope } from '../../contract/projects';
import type { Entities, Entity } from '../../entities/project';

/** Where an entity is looked for by its name. */
export const lookup = (entities: Entities) => ({
  get: entities.get,
  all: entities.all,
  troubled: entities.troubled,
});

export function inScope(entities: Pick<Entities, 'all'>, scope: ProjectScope): readonly Entity[] {
  const { workstream, workspace } = scope;
  return entities
    .all()
    .filter((entity) => workstream === null || entity.workstream === workstream)
    .filter((entity) => workspace === null || isUnder(entity.path, workspace));
}
