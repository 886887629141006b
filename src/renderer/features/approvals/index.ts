export { ApprovalTray } from './ApprovalTray';
export { NoteApprovals } from './NoteApprovals';
