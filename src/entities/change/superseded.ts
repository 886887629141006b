import { ToolFailure } from '../base/failures';
import { type Entity, idsIn } from '../entity/model/model';

/** The decision that one replaces, by what is set of it; of the two both say so. */
export function replacedDecision(
  entity: Entity,
  values: Readonly<Record<string, unknown>>,
  get: (id: string) => Entity | undefined,
): Entity | null {
  if (entity.type !== 'decision' || typeof values.supersedes !== 'string') return null;
  const old = get(values.supersedes);
  if (!old || old.id === entity.id || old.type !== 'decision') {
    throw new ToolFailure('validation', 'A decision supersedes another decision.', { field: 'supersedes' });
  }
  const [other = entity.id] = idsIn(old.values.superseded_by);
  if (other !== entity.id) {
    throw new ToolFailure('conflict', `${old.id} is superseded by ${other} already.`, {
      field: 'supersedes',
      hint: `Let this one supersede ${other}, or empty superseded_by of ${old.id} first.`,
    });
  }
  return old;
}
