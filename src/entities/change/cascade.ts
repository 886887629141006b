import type { Entities } from '../entity/index/entities';
import { type Entity, idsIn, printId } from '../entity/model/model';
import { idsTaken } from '../entity/note/taken';
import { severalNamed } from '../entity/references/find';

/**
 * What lies below and goes along: into the archive all that is not there yet, out of it only what went there together;
 * what somebody had archived on its own stays there.
 */
export function goingAlong(
  entity: Entity,
  archived: boolean | undefined,
  children: (id: string) => readonly Entity[],
): Entity[] {
  const descendants = new Map<string, Entity>();
  const queue = [entity.id];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const child of children(id)) {
      if (child.id === entity.id || descendants.has(child.id)) continue;
      descendants.set(child.id, child);
      queue.push(child.id);
    }
  }
  return [...descendants.values()].filter(goesWith(entity, archived));
}

/** Whether what lies below goes along. */
export function goesWith(entity: Entity, archived: boolean | undefined): (each: Entity) => boolean {
  const together = new Set([entity.id, ...idsIn(entity.values.archived_with)]);
  return (each) =>
    archived ? !each.archived : idsIn(each.values.archived_with).some((id) => together.has(id));
}

/** Of notes with one id only the first is known as what lies below: none of them goes along. */
export function refuseTwins(
  ids: ReadonlySet<string>,
  goes: (entity: Entity) => boolean,
  entities: Pick<Entities, 'duplicates' | 'sharing'>,
): void {
  for (const id of entities.duplicates().keys()) {
    const twins = entities.sharing(id);
    if (!ids.has(id) && !twins.some((twin) => ids.has(twin.parent ?? '') && goes(twin))) continue;
    throw severalNamed(id, twins, {
      field: 'cascade',
      hint: 'Nothing was moved. Give all but one another id (check_project tells the key that does), or leave cascade out.',
    });
  }
}

/** What can't be read may lie below one of these, and does not go along. */
export async function unreadableBelow(
  ids: ReadonlySet<string>,
  entities: Pick<Entities, 'troubled'>,
  textOf: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [path, { kind, id }] of entities.troubled()) {
    if (id !== null && ids.has(id)) continue;
    const text = kind === 'too-large' ? null : await textOf(path).catch(() => '');
    const idsInText =
      text === null ? null : idsTaken(Buffer.from(text)).map((each) => printId(each.type, each.number));
    if (idsInText && !idsInText.some((each) => ids.has(each))) continue;
    paths.push(path);
  }
  return paths;
}

export const leftBelow = (path: string) =>
  `“${path}” can’t be read as an entity and may lie below one of these: it was left as it is. check_project tells how to put it right.`;
