export { ContextPanel } from './ContextPanel';
export { NoteEditor, type NoteEditorProps } from './NoteEditor';
