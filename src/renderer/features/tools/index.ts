export const ToolBrowser = (_: { serverId: string | null; onClose(): void }) => null;
