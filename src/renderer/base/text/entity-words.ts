import type { DetailsOf } from '../../../contract/errors';
import type { EntityType } from '../../../contract/projects';
import { isPlainKey, t } from './text';

/** People may write any word into front matter; one that is not known is shown as it is. */
export function wordFor(group: string, word: string): string {
  const key = `${group}.${word}`;
  return isPlainKey(key) ? t(key) : word.replaceAll('_', ' ');
}

export const statusWord = (status: string) => wordFor('entity.status', status);
export const typeWord = (type: EntityType) => t(`entity.${type}`);

export const priorityWord = (priority: string) => wordFor('priority', priority);
export const fieldWord = (field: string) => wordFor('field', field);

type Difference = DetailsOf<'project.refused'>['differences'][number];

/** What stands in a field, and what the person wanted there. */
export function differenceWords({ field, was, now, yours }: Difference): string {
  const name = fieldWord(field);
  if (yours === null) return `${name}:\n${now}`;
  const words = { field: name, now: valueWord(field, now), yours: valueWord(field, yours) };
  return was === null
    ? t('refused.differs', words)
    : t('refused.changed', { ...words, was: valueWord(field, was) });
}

function valueWord(field: string, value: string): string {
  if (value === '') return t('detail.noValue');
  if (field === 'status') return statusWord(value);
  if (field === 'priority') return priorityWord(value);
  if (field === 'archived' && (value === 'true' || value === 'false')) return t(`refused.${value}`);
  return value;
}
