import type { Limits } from '../../../contract/sandbox';
import type { ServerConfig } from './server-config';

/** What a server may touch, every part said, variables not filled in; null: no sandbox is round it. */
export function sandboxOf({ level, draft }: Pick<ServerConfig, 'level' | 'draft'>): Limits | null {
  const { command, sandbox } = draft;
  if (command === undefined || level === 'bundled' || sandbox === false) return null;
  if (level !== 'vault') return sandbox === undefined ? null : { ...nothing, ...sandbox };
  return { ...ofVault, ...sandbox };
}

/** What a server may touch that is put into a sandbox, and of which nothing else is said. */
export const limitsByDefault = (level: ServerConfig['level']): Limits =>
  level === 'vault' ? ofVault : nothing;

const nothing: Limits = { read: [], write: [], hosts: [] };
const ofVault: Limits = { read: [`\${vault}`], write: [`\${vault}`], hosts: [] };
