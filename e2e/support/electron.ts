import { resolve } from 'node:path';
import { _electron, type Page } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

export interface ElectronWindow {
  readonly page: Page;
  readonly pid: number;
  close(): Promise<void>;
}

/** The built app in its own shell; it opens the vault that the settings name as the last one. */
export async function openElectron(
  data: string,
  environment: Record<string, string>,
): Promise<ElectronWindow> {
  const shell = await _electron.launch({
    args: [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ...environment, INTERLINEAR_DATA: data },
  });
  return { page: await shell.firstWindow(), pid: shell.process().pid ?? 0, close: () => shell.close() };
}
