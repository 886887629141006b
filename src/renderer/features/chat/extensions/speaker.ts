import type { EditorState } from '@codemirror/state';
import type { Role } from '../../../../markdown';
import { blockAround } from './blocks';
import { roleTagsAt } from './role-tag';

export interface SpeakerHere {
  readonly role: Role | 'new-chat';
  readonly tag: string;
  /** Start of the line with the tag, and of the text behind it. */
  readonly line: number;
  readonly textFrom: number;
}

/** Whose turn a place is in; null where nobody speaks. */
export function speakerAt(state: EditorState, at: number): SpeakerHere | null {
  for (let number = state.doc.lineAt(at).number; number >= 1; number--) {
    const line = state.doc.line(number);
    const { from } = line;
    const tag = roleTagsAt(state, line).at(-1);
    if (tag && !blockAround(state, from))
      return { role: tag.role, tag: tag.tag, line: from, textFrom: from + tag.to };
  }
  return null;
}
