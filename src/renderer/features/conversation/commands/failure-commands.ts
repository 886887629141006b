import type { Command } from '../../../base/keyboard/commands';
import { type TextKey, t } from '../../../base/text/text';
import type { ViewOf } from '../../editor/context/view-of';
import { type FailureStep, failureSteps, nearestFailure } from '../../editor/tool-blocks/failure-steps';

const words = {
  again: 'answer.again',
  later: 'answer.later',
  trim: 'answer.trim',
  model: 'answer.model',
  other: 'answer.other',
  settings: 'answer.providers',
  tools: 'answer.limits',
} as const satisfies Record<FailureStep['id'], TextKey>;

/** What stands on the card of a failed answer. */
export function failureCommands(view: ViewOf): Command[] {
  return (Object.keys(words) as FailureStep['id'][]).map((id) => {
    const findFailure = () => {
      const editor = view();
      const near = editor && !editor.state.readOnly ? nearestFailure(editor.state) : null;
      const step = near && failureSteps(near.source).find((one) => one.id === id);
      return editor && near && step ? { editor, at: near.at, step } : null;
    };
    return {
      id: `note.failure.${id}`,
      title: t('answer.command', { step: t(words[id]) }),
      when: () => findFailure() !== null,
      run: () => {
        const now = findFailure();
        if (now) requestAnimationFrame(() => now.step.act(now.editor, now.at));
      },
    };
  });
}
