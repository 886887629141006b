import type { ServerDraft, ServerLevel } from '../../../contract/mcp';
import { type Denial, type Limits, Sandbox } from '../../../contract/sandbox';

export type LimitKind = keyof Limits;
export const limitKinds = ['read', 'write', 'hosts'] as const satisfies readonly LimitKind[];

/** What is to stand in the entry, so that what was refused is allowed. */
export function withAllowed(limits: Limits, denial: Denial): Limits {
  return denial.kind === 'host'
    ? withEntry(limits, 'hosts', denial.host)
    : withEntry(limits, denial.kind, denial.path);
}

export function withEntry({ read, write, hosts }: Limits, kind: LimitKind, entry: string): Limits {
  const limits = { read, write, hosts };
  return { ...limits, [kind]: [...limits[kind].filter((one) => one !== entry), entry] };
}

export function withoutEntry({ read, write, hosts }: Limits, kind: LimitKind, entry: string): Limits {
  const limits = { read, write, hosts };
  return { ...limits, [kind]: limits[kind].filter((one) => one !== entry) };
}

/** Whether an entry can stand there: a host of a form that is understood, a path at all. */
export const isEntry = (kind: LimitKind, entry: string): boolean =>
  Sandbox.safeParse({ [kind]: [entry] }).success;

const ofVault = [`\${vault}`];

/** What a draft is put into, where it is added at this level; null: nothing. */
export function limitsOfDraft({ sandbox, url }: ServerDraft, level: ServerLevel): Limits | null {
  if (url !== undefined || sandbox === false) return null;
  const usual = limitsAtFirst(level);
  if (sandbox === undefined) return level === 'vault' ? usual : null;
  return { ...usual, ...sandbox };
}

/** What holds when a sandbox is put round a server, and nothing else is said. */
export const limitsAtFirst = (level: ServerLevel): Limits =>
  level === 'vault' ? { read: ofVault, write: ofVault, hosts: [] } : { read: [], write: [], hosts: [] };
