import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'react';
import { type Command, useRegisteredCommands } from '../../app/commands';
import { t } from '../../app/text';
import { noteContext } from './extensions/note-context';

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
    const actions = (editor: EditorView) => editor.state.field(noteContext).actions;
    return [
      command('note.answer', t('note.command.answer'), 'Mod-Enter', (editor) =>
        actions(editor).answerOrRunBlock(editor),
      ),
      command('note.stop', t('status.stop'), 'Escape', (editor) => void actions(editor).stop()),
      command('note.find', t('note.command.find'), 'Mod-f', (editor) => void openSearchPanel(editor)),
    ];
  }, [view]);
  useRegisteredCommands(commands);
}
