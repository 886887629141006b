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
const readOnly = /\bEROFS\b|Read-only file system/gi;
const nothing = /\bENOENT\b|No such file or directory/gi;
/** Characters of what was written, and of a path in it; and how often it may say so. */
const most = { words: 16_384, path: 4_096, phrases: 20 };

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

function firstPath(all: string, phrase: RegExp): string | null {
  const words = all.slice(0, most.words);
  for (const { 0: match, index } of [...words.matchAll(phrase)].slice(0, most.phrases)) {
    const end = index + match.length;
    const path =
      quotedIn(words.slice(end, end + 2 * most.path)) ??
      pathAtEnd(words.slice(Math.max(0, index - most.path), index));
    if (path !== null) return path;
  }
  return null;
}

/** The first thing in quotes: `, open '/a/b'`. */
const quotedIn = (text: string): string | null => /^[^'"]*['"](\/[^'"]+)['"]/.exec(text)?.[1] ?? null;

/** What the phrase is said of: `touch: '/a/b': `. */
function pathAtEnd(text: string): string | null {
  if (!text.endsWith(': ')) return null;
  const rest = text.slice(0, -2).replace(/['"]$/, '');
  const start = rest.indexOf('/', Math.max(...['"', "'", ':'].map((sign) => rest.lastIndexOf(sign))) + 1);
  return start === -1 || start === rest.length - 1 ? null : rest.slice(start);
}
