import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Denial } from '../../../contract/sandbox';
import { isWithin } from '../../../files';

/** What servers were refused since each was last started. */
export interface Denials {
  of(serverId: string): readonly Denial[];
  add(serverId: string, denial: Denial): void;
  forget(serverId: string): void;
}

const mostOfOne = 20;

export function createDenials(onChange: () => void): Denials {
  const byServer = new Map<string, readonly Denial[]>();
  return {
    of: (serverId) => byServer.get(serverId) ?? [],
    add(serverId, denial) {
      const before = byServer.get(serverId) ?? [];
      const isOld = before.some((one) => JSON.stringify(one) === JSON.stringify(denial));
      // Whoever tries a thousand hosts is not heard for the rest.
      if (isOld || before.length >= mostOfOne || !Denial.safeParse(denial).success) return;
      byServer.set(serverId, [...before, denial]);
      onChange();
    },
    forget(serverId) {
      if (byServer.delete(serverId)) onChange();
    },
  };
}

/** As the proxy says it, `example.org:443`; null: it can't be allowed, for it is this computer. */
export function deniedHost(text: string): Denial | null {
  const name = text.replace(/:(80|443)$/, '');
  return /^(localhost|127\.|\[::1\]|0\.)/i.test(name) ? null : { kind: 'host', host: name };
}

/** Reading of a path that is closed says that nothing is there, writing that the disk is read-only. */
const readOnly = [
  /\bEROFS\b[^'"]*['"](\/[^'"]+)['"]/,
  /Read-only file system[^'"]*['"](\/[^'"]+)['"]/i,
  /['"]?(\/[^'":]+)['"]?: Read-only file system/i,
];
const nothing = [
  /\bENOENT\b[^'"]*['"](\/[^'"]+)['"]/,
  /No such file or directory[^'"]*['"](\/[^'"]+)['"]/i,
  /['"]?(\/[^'":]+)['"]?: No such file or directory/i,
];

/** What a program's own words tell of a path that it was refused; null: nothing. They are its word, and no proof. */
export function deniedPath(words: string, closed: readonly string[], open: readonly string[]): Denial | null {
  const written = firstPath(words, readOnly);
  if (written !== null) return { kind: 'write', path: written };
  const looked = firstPath(words, nothing);
  const isClosed = (path: string) =>
    closed.some((one) => isWithin(one, path)) && !open.some((one) => isWithin(one, path));
  if (looked === null || !isClosed(looked)) return null;
  if (existsSync(looked)) return { kind: 'read', path: looked };
  const folder = dirname(looked);
  return isClosed(folder) && existsSync(folder) ? { kind: 'write', path: folder } : null;
}

function firstPath(words: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const path = pattern.exec(words)?.[1];
    if (path !== undefined) return path;
  }
  return null;
}
