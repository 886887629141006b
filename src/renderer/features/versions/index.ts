export { BeforeAnswer } from './BeforeAnswer';
export { DeletedNotes } from './DeletedNotes';
export { RecoveredTexts } from './RecoveredTexts';
export { VersionsPanel } from './VersionsPanel';
export { VersionView } from './VersionView';
