export const ApprovalTray = () => null;
