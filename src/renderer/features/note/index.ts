export { ContextPanel } from '../conversation/context/ContextPanel';
export { NoteEditor, type NoteEditorProps } from './NoteEditor';
export { UnsentNotes } from './UnsentNotes';
