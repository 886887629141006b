export { ApprovalTray } from './placeholder';
