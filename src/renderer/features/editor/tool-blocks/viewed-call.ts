import type { EditorState } from '@codemirror/state';
import type { ResultPart, ToolEntry } from '../../../../contract/tools';
import type { NotePart } from '../../../../markdown';
import { noteContext } from '../context/note-context';
import { callAt } from '../reading/blocks';
import { shownAt, toolOf } from '../reading/tool-block';

/** What a view is shown of a call, read from the note. */
export interface ViewedCall {
  readonly tool: ToolEntry;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly parts: readonly ResultPart[];
  readonly status: 'ok' | 'error';
  readonly record: { readonly at: number; readonly whole: boolean };
}

/** The finished call whose callout begins at `at`, if its tool brings a view. */
export function viewedCall(state: EditorState, at: number): ViewedCall | null {
  const callout = callAt(state, at);
  if (!callout) return null;
  const read = shownAt(state, callout);
  if (!read?.call) return null;
  const { call, result } = read;
  const tool = toolOf(state.field(noteContext).tools, call);
  if (tool?.viewUri === undefined || (result.state !== 'ok' && result.state !== 'error')) return null;
  const record = { at: Date.parse(result.at ?? '') || 0, whole: !result.truncated };
  return {
    tool,
    arguments: call.arguments,
    parts: result.parts.map(resultPart),
    status: result.state,
    record,
  };
}

function resultPart(part: NotePart): ResultPart {
  switch (part.kind) {
    case 'text':
    case 'link':
      return part;
    case 'json':
      return part as ResultPart;
    case 'resource':
      return { ...part, mediaType: null };
    case 'file':
      return { kind: 'link', uri: part.target, name: part.name };
    case 'picture':
      return { kind: 'text', text: `(picture: ${part.target})` };
  }
}
