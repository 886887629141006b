export const SettingsDialog = (_: { section: string; onClose(): void }) => null;
