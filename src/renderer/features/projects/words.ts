import type { EntityType, NextStep, ProjectFinding } from '../../../contract/projects';
import { fieldWord, priorityWord, statusWord, typeWord } from '../../base/text/entity-words';
import { labelled, listed } from '../../base/text/format';
import { t, useLanguage } from '../../base/text/text';
import type { Tone } from '../../ui';

export { fieldWord, priorityWord, statusWord, typeWord };

const plurals = {
  milestone: 'entity.milestones',
  story: 'entity.stories',
  task: 'entity.tasks',
  decision: 'entity.decisions',
  document: 'entity.documents',
} as const;

export const typesWord = (type: EntityType) => t(plurals[type]);

const tones: Readonly<Record<string, Tone>> = {
  in_progress: 'accent',
  blocked: 'bad',
  completed: 'good',
  pending: 'warn',
  decided: 'good',
  review: 'accent',
  approved: 'good',
};

export const statusTone = (status: string): Tone => tones[status] ?? 'neutral';

/** The order in which bars and groups tell statuses: what is done first. */
const order = [
  ...['completed', 'decided', 'approved', 'in_progress', 'review', 'pending', 'blocked'],
  ...['not_started', 'draft', 'superseded'],
];

export function byStatusOrder(a: string, b: string): number {
  const at = (status: string) => (order.includes(status) ? order.indexOf(status) : order.length);
  return at(a) - at(b);
}

export function stepVerb({ why }: NextStep): string {
  return t(`step.${why.kind}`);
}

export function stepReason({ why }: NextStep): string {
  switch (why.kind) {
    case 'break-circle':
      return why.circle.join(' → ');
    case 'repair':
      return labelled(fieldWord(why.field), why.missing);
    case 'decide':
      return t('why.decide', { ids: some(why.blocks) });
    case 'unblock':
      if (why.critical) return t('why.critical');
      return why.holdsUp > 0 ? t('why.holdsUp', { count: why.holdsUp }) : t('why.stuck');
    case 'start':
      return why.critical
        ? t('why.readyCritical')
        : t('why.ready', { priority: lower(priorityWord(why.priority)) });
    case 'replan':
      return t('why.due', { date: shortDate(why.due) });
    case 'look-after':
      return t('why.untouched', { count: why.days });
  }
}

/** What is wrong with a note, without its name. */
export function findingWords({ code, field, value }: ProjectFinding): string {
  const words = { field: fieldWord(field ?? ''), value: value ?? '' };
  switch (code) {
    case 'invalid_status':
    case 'invalid_priority':
    case 'invalid_value':
      return t('check.invalid', words);
    case 'misnamed_field':
      return t('check.misnamed_field', { field: field ?? '', value: value ?? '' });
    case 'hidden':
      return t(value === null ? 'check.hidden' : 'check.hiddenFolder', words);
    case 'half_done':
      return t(value === null ? 'check.half_done' : 'check.half_doneNamed', words);
    case 'damaged_record':
    case 'half_undone':
    case 'type_mismatch':
    case 'no_type':
    case 'decided_but_pending':
    case 'no_such_entity':
    case 'wrong_parent':
    case 'waits_for_its_whole':
    case 'circle':
    case 'deadlock':
    case 'id_too_high':
    case 'damaged_canvas':
    case 'dead_node':
    case 'double_node':
    case 'loose_edge':
    case 'duplicate_id':
    case 'no_id':
    case 'unreadable':
    case 'unclosed':
    case 'too_large':
    case 'dead_link':
    case 'no_file':
    case 'unusable_name':
      return t(`check.${code}`, words);
  }
}

/** A path in which a blank would not be seen stands in quotation marks. */
export function pathWords(path: string): string {
  return /^\s|\s(?:$|\/)|\/\s/.test(path) ? `“${path}”` : path;
}

export function repairWords(repair: NonNullable<ProjectFinding['repair']>): string {
  switch (repair.kind) {
    case 'set': {
      const { field, to } = repair;
      const word =
        field === 'status' ? statusWord(String(to)) : field === 'priority' ? priorityWord(String(to)) : null;
      return t('check.set', {
        field: fieldWord(field),
        to: word ?? (Array.isArray(to) ? to.join(', ') : String(to)),
      });
    }
    case 'drop':
      return t('check.drop', { id: repair.id, field: fieldWord(repair.field) });
    case 'to-text':
      return t('check.to-text', { field: fieldWord(repair.field) });
    case 'rename-field':
      return t('check.rename-field', { to: repair.to });
    case 'new-id':
    case 'rewrite':
    case 'mend':
      return t(`check.${repair.kind}`);
    case 'rename':
      return t('check.rename', { to: repair.to });
  }
}

const lower = (word: string) => word.toLowerCase();

/** The first few, and how many more. */
export function some(ids: readonly string[], most = 3): string {
  const rest = ids.length - most;
  const first = listed(ids.slice(0, most));
  return rest > 0 ? `${first} ${t('overview.moreOf', { count: rest })}` : first;
}

/** A day as people of the language write it; what is no date stays as it is. */
export function shortDate(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  const day = new Date(at);
  const thisYear = day.getUTCFullYear() === new Date().getFullYear();
  return day.toLocaleDateString(useLanguage.getState().language === 'zh' ? 'zh-CN' : 'en', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(thisYear ? {} : { year: 'numeric' }),
  });
}
