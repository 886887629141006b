import type { EditorState } from '@codemirror/state';
import type { Role } from '../../../../markdown';
import { roleTagsBefore } from './role-tag';

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
    const { from, to } = state.doc.line(number);
    const tag = roleTagsBefore(state, Math.min(at, to)).at(-1);
    if (tag) return { role: tag.role, tag: tag.tag, line: from, textFrom: from + tag.to };
  }
  return null;
}
