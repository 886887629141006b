import { isolateHistory } from '@codemirror/commands';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { TagNames } from '../../../../markdown';
import { turnAt } from '../../../../markdown';
import type { Command } from '../../../base/keyboard/commands';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import type { ViewOf } from '../context/view-of';
import { conversationOf } from '../reading/conversation';
import { roleOf, roleTagsBefore } from '../reading/role-tag';
import { behindBlock } from '../reading/tool-block';

/** Every tag, by its own name; an assistant's asks for its answer. */
export function tagCommands(view: ViewOf, tags: TagNames): Command[] {
  const all = [...tags.newChat, ...tags.system, ...tags.user, ...tags.assistant];
  return [...new Set(all)].map((tag) => ({
    id: `note.tag.${tag}`,
    title: roleOf(tag, tags) === 'assistant' ? t('tags.ask', { tag }) : t('tags.put', { tag }),
    when: () => view()?.state.readOnly === false,
    run: () => {
      requestAnimationFrame(() => {
        const editor = view();
        if (editor) putTag(editor, tag);
      });
    },
  }));
}

function putTag(view: EditorView, tag: string): void {
  const { tags, actions } = view.state.field(noteContext);
  if (roleOf(tag, tags) === 'assistant') actions.answer(view, tag);
  else view.dispatch(tagPut(view.state, tag));
  view.focus();
}

/** The line at the cursor becomes that speaker's; a tag of the same kind that stands there is exchanged. */
export function tagPut(state: EditorState, tag: string): TransactionSpec {
  const { tags } = state.field(noteContext);
  const role = roleOf(tag, tags);
  const isolated = { annotations: isolateHistory.of('full'), userEvent: 'input.tag' };
  const behind = behindBlock(state, state.selection.main.head);
  if (behind) {
    const insert = `${behind.closing}\n\n#${tag}${role === 'new-chat' ? ' ' : ' : '}`;
    const selection = { anchor: behind.at + insert.length };
    return { changes: { from: behind.at, insert }, selection, scrollIntoView: true, ...isolated };
  }
  const line = state.doc.lineAt(state.selection.main.head);
  const there = roleTagsBefore(state, state.selection.main.head);
  const same = there.find((one) => one.role === role);
  if (same) {
    const from = line.from + same.from + 1;
    return { changes: { from, to: from + same.tag.length, insert: tag }, ...isolated };
  }
  const isNewChat = role === 'new-chat';
  const text = isNewChat ? `#${tag} ` : `#${tag} : `;
  // Behind another speaker's tag a new turn begins below; a new conversation begins before it.
  const below = there.length > 0 && !isNewChat && there.every((one) => one.role !== 'new-chat');
  const above = line.number > 1 && state.doc.line(line.number - 1).text.trim() !== '';
  const lead = below ? '\n\n' : above && there.length === 0 ? '\n' : '';
  const from = below
    ? line.to
    : there.length > 0 && !isNewChat
      ? line.from + (there.at(-1)?.to ?? 0)
      : line.from;
  const insert = lead + text;
  const end = below || line.text.trim() === '' ? from + insert.length : line.to + insert.length;
  return { changes: { from, insert }, selection: { anchor: end }, scrollIntoView: true, ...isolated };
}

/** All of what one speaker says at the cursor. */
export function selectMessage(view: EditorView): void {
  const turn = turnAt(conversationOf(view.state), view.state.selection.main.head);
  if (turn) {
    const words = view.state.sliceDoc(turn.contentFrom, turn.to).trimEnd();
    view.dispatch({ selection: { anchor: turn.contentFrom, head: turn.contentFrom + words.length } });
  }
  view.focus();
}
