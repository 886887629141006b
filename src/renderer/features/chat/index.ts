export { ContextPanel, NoteEditor } from './placeholder';
