import type { EntityBrief } from '../../contract/projects';
import { type Entities, type Entity, isOpen, isOverdue } from '../../entities/project';

export function briefOf(entity: Entity, entities: Pick<Entities, 'get'>, now: Date): EntityBrief {
  const { assignee, target_date } = entity.values;
  const needed = entity.dependsOn.map((id) => entities.get(id)).filter((each) => each !== undefined);
  return {
    id: entity.id,
    type: entity.type,
    title: entity.title,
    status: entity.status,
    priority: entity.priority,
    workstream: entity.workstream,
    parent: entity.parent,
    assignee: textOf(assignee),
    targetDate: textOf(target_date),
    dependsOn: [...entity.dependsOn],
    waitsFor: needed.filter(isOpen).length,
    open: isOpen(entity),
    overdue: isOverdue(entity, now),
    archived: entity.archived,
    path: entity.path,
    updated: entity.updated,
    revision: entity.revision,
  };
}

/** People write what they like into front matter; what is no text or number is left out. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
