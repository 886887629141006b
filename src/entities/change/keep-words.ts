import { isOfForm } from '../entity/model/field-form';
import type { Entity } from '../entity/model/model';
import { writtenField } from '../entity/note/note-text';

/**
 * What a field may not hold, somebody wrote: what the server writes of itself leaves it alone, and what it has to write
 * takes its place only when it stands below, or whoever asks for it was handed it.
 */
export function keepWords(
  entity: Entity,
  text: string,
  changes: Readonly<Record<string, unknown>>,
  isHanded: (field: string) => boolean,
) {
  const values = { ...changes };
  const lines: string[] = [];
  const warnings: string[] = [];
  for (const field of Object.keys(changes)) {
    if (isOfForm(entity, field) || isHanded(field)) continue;
    const { entry, value } = writtenField(text, field);
    const what = `${entity.id}: what stands in ${field} is not what it holds`;
    if (stamps.has(field)) {
      delete values[field];
      warnings.push(`${what}, and was left there: ${short(value)}`);
    } else {
      lines.push(entry);
      warnings.push(`${what}, and stands below the text now: ${short(value)}`);
    }
  }
  return { values, lines, warnings };
}

/** Written with whatever else is written. */
const stamps: ReadonlySet<string> = new Set(['updated', 'archived_from', 'archived_with']);

const short = (text: string) => (text.length <= 200 ? text : `${text.slice(0, 200)}…`);
