export { ApprovalTray } from './ApprovalTray';
export { NoteApprovals } from './NoteApprovals';
export { OwnApprovals } from './OwnApprovals';
