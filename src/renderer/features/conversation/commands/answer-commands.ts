import type { Command } from '../../../base/keyboard/commands';
import { t } from '../../../base/text/text';
import type { ViewOf } from '../../editor/context/view-of';
import { answerNear } from '../../editor/reading/conversation';
import { answerSteps, callTimes, canRestore, takeStep } from '../../editor/turns/answer-steps';

/** What stands over the answer at the cursor, or over the last one above it. */
export function answerCommands(view: ViewOf): Command[] {
  return answerSteps.map((step) => ({
    id: `note.reply.${step.id}`,
    title: t('reply.command', { step: t(step.words) }),
    when: () => {
      const editor = view();
      if (!editor || (step.writes && editor.state.readOnly)) return false;
      const answer = answerNear(editor.state, editor.state.selection.main.head);
      return answer !== null && (!step.restores || canRestore(editor.state, callTimes(editor.state, answer)));
    },
    run: () => {
      const editor = view();
      if (editor) requestAnimationFrame(() => takeStep(editor, step, editor.state.selection.main.head));
    },
  }));
}
