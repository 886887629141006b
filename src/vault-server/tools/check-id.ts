import { ToolFailure } from '../../entities/base/failures';
import type { Entities } from '../../entities/entity/index/entities';
import { parseId, printId } from '../../entities/entity/model/model';
import { idOf, readParts } from '../../entities/entity/note/read';
import { idInName } from '../../entities/entity/note/taken';
import type { Document } from '../../entities/store/batch/document';

/** An entity stays who it is, and no text makes a second one of an id; one of two with the same id may get another. */
export function checkId(
  path: string,
  present: Document | null,
  text: string,
  entities: Entities,
  /** Whether there was an entity with this id, ever. */
  hasTimeOf: (id: string) => boolean,
): void {
  const id = idOf(text);
  const old = idOf(present?.text ?? '');
  if (id === old) return;
  const isOne = old !== null && entities.sharing(old).every((entity) => entity.path === path);
  if (isOne && entities.get(old)) {
    const problem = id === null ? readParts(text).problem : null;
    if (problem !== null) {
      throw new ToolFailure('validation', `The front matter of ${old} could not be read any more.`, {
        hint: problem,
      });
    }
    throw new ToolFailure('validation', `“${path}” is the note of ${old}; its id can’t be changed.`, {
      hint: 'Leave the line of its id, and the marks around its front matter, as they are.',
    });
  }
  if (id === null) return;
  const number = parseId(id);
  const isSameNumber = (each: ReturnType<typeof parseId>) =>
    each?.type === number?.type && each?.number === number?.number;
  const other = entities
    .all()
    .flatMap((each) => (isSameNumber(parseId(each.id)) ? entities.sharing(each.id) : []));
  const [whose] = other.filter((entity) => entity.path !== path);
  const hint = 'create_entity gives a new one.';
  if (whose) throw new ToolFailure('conflict', `${id} is the id of “${whose.path}”.`, { hint });
  // A note that lost its id may have it again.
  const bears =
    present !== null &&
    (isSameNumber(idInName(path)) || isSameNumber(parseId(entities.troubled().get(path)?.id ?? '')));
  if (
    other.length > 0 ||
    bears ||
    !(hasTimeOf(id) || (number && hasTimeOf(printId(number.type, number.number))))
  )
    return;
  throw new ToolFailure('conflict', `${id} was the id of a note that is gone, and is not given again.`, {
    field: 'id',
    hint,
  });
}
