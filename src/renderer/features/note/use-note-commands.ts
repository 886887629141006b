import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { useMemo } from 'react';
import { AppError } from '../../../contract/errors';
import type { TagNames } from '../../../markdown';
import { useCore } from '../../base/core/core';
import { type Command, useRegisteredCommands } from '../../base/keyboard/commands';
import { escapeStops } from '../../base/keyboard/escape';
import { isCallLive, isLive } from '../../base/text/run-words';
import { t, useLanguage } from '../../base/text/text';
import { answerCommands } from '../conversation/commands/answer-commands';
import { failureCommands } from '../conversation/commands/failure-commands';
import { noteContext } from '../editor/context/note-context';
import type { ViewOf } from '../editor/context/view-of';
import { selectMessage, tagCommands } from '../editor/insert/tag-commands';
import { acceptTurn, toolTurnAt } from '../editor/turns/tool-turns';
import { printConversation, saveHtml, saveJsonLines } from '../export/save';

function exportJsonLines(editor: EditorView): void {
  editor.state.field(noteContext).actions.attempt(async () => {
    if (await saveJsonLines(editor.state)) return;
    throw new AppError('request.invalid', t('export.nothing'), { issues: [] });
  });
}

/** What the palette offers for the note; the keys of some are the editor's own. A table: as long as it has entries. */
export function useNoteCommands(view: ViewOf, tags: TagNames): void {
  const core = useCore();
  const language = useLanguage((state) => state.language);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the titles change with the language.
  const commands = useMemo<Command[]>(() => {
    const offered = (id: string, title: string, act: (view: EditorView) => void, writes = true): Command => ({
      id,
      title,
      when: () => (writes ? view()?.state.readOnly === false : view() !== null),
      run: () => {
        // The palette gives the focus back first.
        requestAnimationFrame(() => {
          const editor = view();
          if (editor) act(editor);
        });
      },
    });
    const actions = (editor: EditorView) => editor.state.field(noteContext).actions;
    return [
      {
        ...offered('note.answer', t('note.command.answer'), (editor) => {
          editor.focus();
          actions(editor).answerOrRunBlock(editor);
        }),
        ...{ keys: 'Mod-Enter', shownOnly: true },
      },
      {
        id: 'note.stop',
        title: t('command.stop'),
        keys: 'Escape',
        when: () => {
          const context = view()?.state.field(noteContext);
          return context !== undefined && (isLive(context.run) || context.loneCalls.some(isCallLive));
        },
        hears: () => escapeStops(view()?.state.field(noteContext).path ?? ''),
        run: () => {
          const editor = view();
          if (editor) actions(editor).stop();
        },
      },
      offered('note.countAnew', t('note.command.countAnew'), (editor) => {
        const { path } = editor.state.field(noteContext);
        actions(editor).attempt(() => core.call('tools.resetLimit', { path }));
      }),
      offered('note.prompt', t('note.command.prompt'), (editor) =>
        actions(editor).ask(editor, { kind: 'choose-prompt' }, null),
      ),
      offered('note.attach', t('note.command.attach'), (editor) =>
        actions(editor).ask(editor, { kind: 'choose-attachment' }, null),
      ),
      offered('note.speakers', t('note.command.speakers'), (editor) =>
        actions(editor).ask(editor, { kind: 'speakers' }, null),
      ),
      offered('note.jsonLines', t('export.jsonLines'), exportJsonLines, false),
      offered(
        'note.html',
        t('export.html'),
        (editor) => actions(editor).attempt(() => saveHtml(editor.state)),
        false,
      ),
      offered(
        'note.print',
        t('export.print'),
        (editor) => actions(editor).attempt(() => printConversation(editor.state)),
        false,
      ),
      offered('note.selectMessage', t('note.command.select'), selectMessage, false),
      {
        ...offered('note.acceptTurn', t('note.command.acceptTurn'), (editor) => {
          const turn = toolTurnAt(editor.state, editor.state.selection.main.head);
          if (turn) acceptTurn(editor, turn);
        }),
        when: () => {
          const state = view()?.state;
          return state !== undefined && toolTurnAt(state, state.selection.main.head) !== null;
        },
      },
      ...failureCommands(view),
      ...answerCommands(view),
      ...tagCommands(view, tags),
      {
        ...offered('note.find', t('note.command.find'), (editor) => void openSearchPanel(editor), false),
        ...{ keys: 'Mod-f', shownOnly: true },
      },
    ];
  }, [core, view, tags, language]);
  useRegisteredCommands(commands);
}
