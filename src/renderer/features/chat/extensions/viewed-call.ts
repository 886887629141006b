import type { EditorState } from '@codemirror/state';
import type { ResultPart, ToolEntry } from '../../../../contract/tools';
import { fenceLanguage, type NotePart, parseConversation, type ToolResult } from '../../../../markdown';
import { callAt } from './blocks';
import { noteContext } from './note-context';
import { blockAbove, toolOf } from './tool-block';

/** What a view is shown of a call, read from the note. */
export interface ViewedCall {
  readonly tool: ToolEntry;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly parts: readonly ResultPart[];
  readonly status: 'ok' | 'error';
  readonly kept: { readonly at: number; readonly whole: boolean };
}

/** The finished call whose callout begins at `at`, if its tool brings a view. */
export function viewedCall(state: EditorState, at: number): ViewedCall | null {
  const callout = callAt(state, at);
  if (!callout) return null;
  const text = state.sliceDoc(callout.from, callout.to);
  const read = readModelCall(text) ?? readBlockAbove(state, callout.from, text);
  if (!read) return null;
  const { result } = read;
  const tool = toolOf(state.field(noteContext).tools, read);
  if (tool?.viewUri === undefined || (result.state !== 'ok' && result.state !== 'error')) return null;
  const kept = { at: Date.parse(result.at ?? '') || 0, whole: !result.truncated };
  return { tool, arguments: read.arguments, parts: result.parts.map(resultPart), status: result.state, kept };
}

interface ReadCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

const speaker = { newChat: [], user: [], system: [], assistant: ['A'] };

function readModelCall(text: string): ReadCall | null {
  const part = parseConversation(`#A :\n\n${text}`, speaker, []).turns[0]?.parts.find(
    ({ kind }) => kind === 'call',
  );
  return part?.kind === 'call' ? part.call : null;
}

/** A block that a person ran has its result below. */
function readBlockAbove(state: EditorState, from: number, callout: string): ReadCall | null {
  const block = blockAbove(state, from);
  if (!block) return null;
  const text = `${state.sliceDoc(block.from, block.to)}\n\n${callout}`;
  const [read] = parseConversation(text, speaker, [fenceLanguage(block.value.head)]).blocks;
  return read?.result ? { ...read, arguments: read.arguments ?? {}, result: read.result.value } : null;
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
    case 'picture':
      return { kind: 'text', text: `(picture: ${part.target})` };
  }
}
