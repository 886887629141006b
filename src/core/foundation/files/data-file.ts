import { lstatSync, renameSync } from 'node:fs';
import { z } from 'zod';

/** Why a file of the app's own data could not be taken as it is. Only `damaged` and `newer` ones are set aside. */
export type FileState = 'damaged' | 'newer' | 'busy' | 'full' | 'read-only' | 'no-permission';

/** What went wrong with one file, and what was done: the part that it belongs to goes on without it. */
export interface FileTrouble {
  readonly file: string;
  readonly state: FileState;
  /** In the words of whoever could not read it; empty where nothing is known. */
  readonly reason: string;
  /** Its new place; null where it stayed. */
  readonly keptAs: string | null;
  /** Entries that were lost, by name. */
  readonly lost: readonly string[];
}

/** Written by an app that knows more than this one. */
export class NewerFile extends Error {}

/** In words: what a schema says of itself is JSON. */
export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return issuesOf(error).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** What does not fit, each by its place. */
export function issuesOf({ issues }: { issues: { path: PropertyKey[]; message: string }[] }): string[] {
  return issues.map(({ path, message }) =>
    path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message,
  );
}

const byCode: Record<string, FileState> = {
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'read-only',
  EBUSY: 'busy',
  ENOSPC: 'full',
  EDQUOT: 'full',
  // A disk that does not answer.
  ETIMEDOUT: 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
};

/** From a file system's or SQLite's error; whatever is not known lies in the file itself. */
export function stateOf(error: unknown): FileState {
  if (error instanceof NewerFile) return 'newer';
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (typeof errcode === 'number') return stateOfSqlite(errcode & 0xff);
  return byCode[code ?? ''] ?? 'damaged';
}

/** SQLite's own word for a file that is broken; another error of a statement is the statement's. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return typeof errcode === 'number' && [11, 26].includes(errcode & 0xff);
}

/** https://sqlite.org/rescode.html, the primary codes. */
function stateOfSqlite(code: number): FileState {
  switch (code) {
    case 5: // BUSY
    case 6: // LOCKED
    case 15: // PROTOCOL
    case 7: // NOMEM
    case 9: // INTERRUPT
      return 'busy';
    case 13: // FULL
    case 10: // IOERR
      return 'full';
    case 8: // READONLY
      return 'read-only';
    case 3: // PERM
    case 14: // CANTOPEN
    case 23: // AUTH
      return 'no-permission';
    default:
      return 'damaged';
  }
}

/** Moves a file away, with whatever lies beside it under its name and one of these endings; null where that fails. */
export function setAside(path: string, endings: readonly string[] = []): string | null {
  const aside = `${path}.damaged-${Date.now()}`;
  try {
    renameSync(path, aside);
    for (const ending of endings)
      if (lstatSync(`${path}${ending}`, { throwIfNoEntry: false }))
        renameSync(`${path}${ending}`, `${aside}${ending}`);
    return aside;
  } catch {
    return null;
  }
}
