import type { EditorView } from '@codemirror/view';

/** The editor of the note, as long as it is there. */
export type ViewOf = () => EditorView | null;
