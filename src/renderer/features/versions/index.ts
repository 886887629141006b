export { BeforeAnswer } from './BeforeAnswer';
export { DeletedNotes } from './DeletedNotes';
export { HistoryPanel } from './HistoryPanel';
export { RecoveredTexts } from './RecoveredTexts';
export { VersionView } from './VersionView';
