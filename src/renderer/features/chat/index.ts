export { ContextPanel } from './ContextPanel';
export { NoteEditor, type NoteEditorProps } from './NoteEditor';
export { UnsentNotes } from './UnsentNotes';
