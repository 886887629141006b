import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'react';
import { type Command, useRegisteredCommands } from '../../app/commands';
import { type TextKey, t } from '../../app/text';
import { type FailureStep, failureSteps, nearestFailure } from './extensions/failure-steps';
import { noteContext } from './extensions/note-context';

const stepWords = {
  again: 'answer.again',
  later: 'answer.later',
  trim: 'answer.trim',
  model: 'answer.model',
  other: 'answer.other',
  settings: 'answer.providers',
  tools: 'answer.limits',
} as const satisfies Record<FailureStep['id'], TextKey>;
const stepIds = Object.keys(stepWords) as FailureStep['id'][];

/** What the palette offers for the note; its keys are the editor's own. */
export function useNoteCommands(view: () => EditorView | null): void {
  const commands = useMemo<Command[]>(() => {
    const command = (id: string, title: string, keys: string, act: (view: EditorView) => void): Command => ({
      id,
      title,
      keys,
      shownOnly: true,
      run: () => {
        const editor = view();
        if (!editor) return;
        editor.focus();
        act(editor);
      },
    });
    /** Without keys of its own, from the palette. */
    const offered = (id: string, title: string, act: (view: EditorView) => void): Command => ({
      id,
      title,
      when: () => view()?.state.readOnly === false,
      run: () => {
        // The palette gives the focus back first.
        requestAnimationFrame(() => {
          const editor = view();
          if (editor) act(editor);
        });
      },
    });
    /** What stands on the card of a failed answer, for whoever has no hand free for it. */
    const failure = (id: FailureStep['id']): Command => {
      const found = () => {
        const editor = view();
        const near = editor && !editor.state.readOnly ? nearestFailure(editor.state) : null;
        const step = near && failureSteps(near.source).find((one) => one.id === id);
        return editor && near && step ? { editor, at: near.at, step } : null;
      };
      return {
        id: `note.failure.${id}`,
        title: t('answer.command', { step: t(stepWords[id]) }),
        when: () => found() !== null,
        run: () => {
          const now = found();
          if (now) requestAnimationFrame(() => now.step.act(now.editor, now.at));
        },
      };
    };
    const actions = (editor: EditorView) => editor.state.field(noteContext).actions;
    return [
      command('note.answer', t('note.command.answer'), 'Mod-Enter', (editor) =>
        actions(editor).answerOrRunBlock(editor),
      ),
      command('note.stop', t('status.stop'), 'Escape', (editor) => void actions(editor).stop()),
      offered('note.prompt', t('note.command.prompt'), (editor) =>
        actions(editor).ask(editor, { kind: 'choose-prompt' }, null),
      ),
      offered('note.attach', t('note.command.attach'), (editor) =>
        actions(editor).ask(editor, { kind: 'choose-attachment' }, null),
      ),
      ...stepIds.map(failure),
      command('note.find', t('note.command.find'), 'Mod-f', (editor) => void openSearchPanel(editor)),
    ];
  }, [view]);
  useRegisteredCommands(commands);
}
