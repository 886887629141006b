import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { completionAt, printKeyInLine, printToolName, printValueInLine } from '../../../../markdown';
import { t, useLanguage } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { blockAround } from '../reading/blocks';
import { roleOf } from '../reading/role-tag';
import { argumentChoices, argumentRows } from '../reading/tool-arguments';
import { toolBlockAt, toolOf, toolsOf } from '../reading/tool-block';
import { toolCard } from '../tool-blocks/block-check';
import { atMenu, noteTargets } from './at-menu';
import { slashMenu } from './slash-menu';

/** A menu that is open takes in what a server offers that comes up meanwhile. */
const followsServers = EditorView.updateListener.of(({ startState, state, view }) => {
  const isSame = startState.field(noteContext).offerServers === state.field(noteContext).offerServers;
  if (!isSame && completionStatus(state) === 'active') startCompletion(view);
});

export const completion: Extension = [
  followsServers,
  autocompletion({
    override: [blockCompletion, slashMenu, atMenu, noteCompletion, tagCompletion],
    optionClass: (option) => (option.type === 'silent' ? 'cm-silent' : ''),
    icons: false,
    closeOnBlur: true,
    activateOnTypingDelay: 40,
  }),
];

const inBlock = (state: EditorState, at: number) => blockAround(state, at) !== null;

/** `#Cl` at the start of a line; a word without `#` only from its second letter on. */
export function tagCompletion(context: CompletionContext): CompletionResult | null {
  if (inBlock(context.state, context.pos)) return null;
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (!/^[\s:：]{0,2}$/.test(line.text.slice(before.length))) return null;
  const { tags } = context.state.field(noteContext);
  const match = /^(?:#(\S+) )?(#?)([\p{L}\p{M}\p{N}_\-/]*)$/u.exec(before);
  if (!match) return null;
  const [, first, mark, word = ''] = match;
  if (first && roleOf(first, tags) !== 'new-chat') return null;
  if (!mark && word.length < 2 && !context.explicit) return null;
  const from = context.pos - word.length - (mark?.length ?? 0);
  // A sign alone may begin a heading: names of another script than the interface's wait for their first letter.
  const offered = (names: readonly string[]) =>
    word === '' && useLanguage.getState().language === 'en' && names.some((name) => !han.test(name))
      ? names.filter((name) => !han.test(name))
      : names;
  const option = (tag: string, detail: string): Completion => ({
    label: `#${tag}`,
    detail,
    apply: (view, _completion, start) => acceptTag(view, tag, start, line.to),
  });
  return {
    from,
    filter: true,
    options: [
      ...offered(tags.assistant).map((tag) => option(tag, t('note.tag.assistant'))),
      ...offered(tags.user).map((tag) => option(tag, t('note.tag.user'))),
      ...offered(tags.system).map((tag) => option(tag, t('note.tag.system'))),
      ...(first ? [] : offered(tags.newChat).map((tag) => option(tag, t('note.tag.newChat')))),
    ],
    // Letters bring the other names in.
    validFor: word === '' ? /^#?$/ : /^#?[\p{L}\p{M}\p{N}_\-/]+$/u,
  };
}

const han = /\p{Script=Han}/u;

/** An assistant's tag asks for its answer; the core writes it together with the tag. */
function acceptTag(view: EditorView, tag: string, from: number, to: number): void {
  const { tags, actions } = view.state.field(noteContext);
  const role = roleOf(tag, tags);
  if (role === 'assistant') {
    view.dispatch({ changes: { from, to }, userEvent: 'input.complete' });
    actions.answer(view, tag);
    return;
  }
  const insert = role === 'new-chat' ? `#${tag} ` : `#${tag} : `;
  const selection = { anchor: from + insert.length };
  view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.complete' });
}

function noteCompletion(context: CompletionContext): CompletionResult | null {
  const open = context.matchBefore(/\[\[[^\]\n|#]{0,250}$/);
  if (!open) return null;
  return {
    from: open.from + 2,
    options: noteTargets(context.state.field(noteContext).actions.listNotes()).map(({ path, target }) => ({
      label: target,
      detail: path === `${target}.md` ? '' : path,
      apply: closing(target),
    })),
    validFor: /^[^\]\n|#]*$/,
  };
}

function closing(target: string): Completion['apply'] {
  return (view, _completion, from, to) => {
    const closed = view.state.sliceDoc(to, to + 2) === ']]';
    const insert = closed ? target : `${target}]]`;
    const selection = { anchor: from + target.length + 2 };
    view.dispatch({ changes: { from, to, insert }, selection, userEvent: 'input.complete' });
  };
}

/** What a server calls its tools, arguments and values is written as YAML has it, and never leaves its line. */
export function blockCompletion(context: CompletionContext): CompletionResult | null {
  const { tools } = context.state.field(noteContext);
  const block = toolBlockAt(context.state, context.pos);
  if (!block) return null;
  const text = context.state.doc.sliceString(block.from, block.to);
  const what = completionAt(text, { ...block, from: 0, to: text.length }, context.pos - block.from);
  const from = block.from + (what?.from ?? 0);
  const tool = toolOf(tools, block);
  switch (what?.kind) {
    case 'tool':
      return {
        from,
        options: toolsOf(tools, block.server).map((other) => ({
          label: other.name,
          apply: printToolName(other.name),
          info: () => toolCard(other),
        })),
      };
    case 'argument': {
      if (!tool) return null;
      const rows = argumentRows(tool.inputSchema).filter(({ name }) => !what.used.includes(name));
      return {
        from,
        options: rows.map(({ name, type, required, description }) => ({
          label: name,
          detail: required ? `${type}, ${t('check.required')}` : type,
          info: description || undefined,
          apply: printKeyInLine(name),
          boost: required ? 1 : 0,
        })),
      };
    }
    case 'value': {
      const values = tool && argumentChoices(tool.inputSchema, what.argument);
      if (!values) return null;
      return {
        from,
        options: values.map((value) => ({ label: String(value), apply: printValueInLine(value) })),
      };
    }
    case undefined:
      return null;
  }
}
