import type { EditorView } from '@codemirror/view';
import { type CalloutText, readFailureFacts, withoutFailureFacts } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { icon } from '../drawing/icons';
import { button, element } from '../drawing/widgets';
import { failureSteps } from './failure-steps';

/** Why there is no answer, and what can be done about it. */
export function failureCard(
  view: EditorView,
  source: string,
  callout: CalloutText,
  showSource: () => void,
): HTMLElement {
  const card = element('div', 'cm-card cm-failure');
  card.setAttribute('role', 'note');
  const body = element('div', 'cm-failure-text', element('strong', '', callout.title || t('answer.failed')));
  const words = withoutFailureFacts(contentOf(callout)).replaceAll('**', '');
  for (const paragraph of words.split(/\n+/)) if (paragraph) body.append(element('p', '', paragraph));
  const facts = readFailureFacts(source);
  const waits = facts?.kind === 'rate-limit' && facts.retryAt !== undefined;
  if (waits) card.dataset.retryAt = `${facts.retryAt}`;
  const row = element('div', 'cm-failure-steps');
  const steps = failureSteps(source).filter(({ id }) => id !== 'later' || waits);
  for (const [index, step] of steps.entries()) {
    const style = index === 0 && step.id !== 'later' ? 'cm-step cm-step-first' : 'cm-step';
    const act = () => step.act(view, view.posAtDOM(card));
    const control = button(style, step.words, act, step.words);
    control.dataset.step = step.id;
    row.append(control);
  }
  if (waits) row.prepend(element('span', 'cm-retry-time'));
  body.append(row);
  const look = button('cm-card-action', t('call.source'), showSource, icon('code'));
  card.append(icon('alert', 16), body, element('span', 'cm-card-actions', look));
  return card;
}

/** What a callout says, below its title. */
export function contentOf({ items }: CalloutText): string {
  const lines = items.map((item) => (item.kind === 'line' ? item.text : item.lines.join('\n')));
  return lines.join('\n').trim();
}
