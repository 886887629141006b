import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ServerDraft } from '../../../contract/mcp';
import type { Limits } from '../../../contract/sandbox';
import { expandHome, isWithin } from '../../../files';
import { certificateVariables } from '../../foundation';
import type { ServerConfig } from './server-config';

/** What a server may touch, every part said, variables not filled in; null: no sandbox is round it. */
export function sandboxOf({ level, draft }: Pick<ServerConfig, 'level' | 'draft'>): Limits | null {
  const { command, sandbox } = draft;
  if (command === undefined || level === 'bundled' || sandbox === false) return null;
  if (level !== 'vault')
    return sandbox === undefined
      ? null
      : { ...nothing, ...sandbox, read: readByPerson(draft, sandbox.read ?? workingFolder(draft)) };
  return { ...ofVault, ...sandbox };
}

/** The certificates that a person's own entry names are read as well; those that a vault's entry names are not. */
const readByPerson = ({ env }: ServerDraft, read: readonly string[]) => [
  ...new Set([...read, ...certificateVariables.flatMap((name) => env?.[name] ?? [])]),
];

/** A folder that holds all of a person's folders is none that a program works in. */
const workingFolder = ({ cwd }: ServerDraft) =>
  cwd === undefined || isWithin(resolve(homedir(), expandHome(cwd)), homedir()) ? [] : [cwd];

/** What a server may touch that is put into a sandbox, and of which nothing else is said. */
export const limitsByDefault = (level: ServerConfig['level']): Limits =>
  level === 'vault' ? ofVault : nothing;

const nothing: Limits = { read: [], write: [], hosts: [] };
const ofVault: Limits = { read: [`\${vault}`], write: [`\${vault}`], hosts: [] };
