import { type Entity, idsIn } from '../entity/model';

/**
 * What lies below and goes along: into the archive all that is not there yet, out of it only what went there together;
 * what somebody had archived on its own stays there.
 */
export function goingAlong(
  entity: Entity,
  archived: boolean | undefined,
  children: (id: string) => readonly Entity[],
): Entity[] {
  const found = new Map<string, Entity>();
  const queue = [entity.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const child of children(id)) {
      if (child.id === entity.id || found.has(child.id)) continue;
      found.set(child.id, child);
      queue.push(child.id);
    }
  }
  return [...found.values()].filter(goesWith(entity, archived));
}

/** Whether what lies below goes along. */
export function goesWith(entity: Entity, archived: boolean | undefined): (each: Entity) => boolean {
  const together = new Set([entity.id, ...idsIn(entity.values.archived_with)]);
  return (each) =>
    archived ? !each.archived : idsIn(each.values.archived_with).some((id) => together.has(id));
}
