export { BeforeAnswer } from './BeforeAnswer';
export { DeletedNotes } from './DeletedNotes';
export { HistoryPanel } from './HistoryPanel';
export { VersionView } from './VersionView';
