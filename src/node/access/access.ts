import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { existsSync, type FSWatcher, readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type EnterMessage, entryText } from '../../bridge';
import { AppError } from '../../contract/errors';
import {
  folderId,
  largestSetting,
  makeOwnFolder,
  readFileAtSync,
  replaceFileSync,
  writeNewSync,
} from '../../files';

const minute = 60_000;
/** A browser that did not come for so long has to be invited again. */
const forgottenAfter = 180 * 24 * 60 * minute;
/** Milliseconds after which a file that was removed was removed by itself, not with the folder around it. */
const calmMs = 100;

const SessionFile = z.object({
  id: z.string(),
  /** The browser's public key: SPKI in base64url. Only the browser has the other half. */
  key: z.string(),
  /** Where its page was, and the port that we had then. It is let in from there to there and nowhere else. */
  origin: z.string(),
  port: z.number(),
  browser: z.string(),
  madeAt: z.number(),
  usedAt: z.number(),
});
export type Session = z.infer<typeof SessionFile>;

export interface Entry extends EnterMessage {
  /** What the browser had to sign. */
  readonly nonce: string;
  readonly origin: string;
  readonly port: number;
  /** In its own words. */
  readonly browser: string;
}

export interface Access {
  /** A code that lets one browser in, once, while its time lasts. */
  invite(lifetime?: number): string;
  /** The session of a browser that is known or was invited; null for anybody else. */
  enter(entry: Entry): Session | null;
  sessions(): Session[];
  /** False where there is none. */
  end(id: string): boolean;
  /** Calls back whenever sessions may have ended, also by another process. */
  onChange(listener: () => void): () => void;
  /**
   * The data folder was made anew, or another one is there: whoever was let in is so again, and whoever was ended stays
   * ended. Throws where that can't be written.
   */
  putBack(): void;
}

/**
 * Throws `data.unavailable` where the data folder can't be written. Sessions and invitations are a file each there, so that they outlive the process and that the command line
 * can list, invite and end. A code is only kept as its hash; removing its file is what uses it up, so it works once
 * whoever asks at the same time. What was read or written is also remembered, for when the folder is lost.
 */
export function createAccess(dataFolder: string, now: () => number = Date.now): Access {
  const sessions = join(dataFolder, 'browsers', 'sessions');
  const invitations = join(dataFolder, 'browsers', 'invitations');
  const remembered = new Map<string, Session>();
  const ended = new Set<string>();
  /** By the names of their files: until when. */
  const invited = new Map<string, number>();
  const redeemed = new Set<string>();
  const followers = new Set<() => void>();
  let watcher: FSWatcher | null = null;
  let calm: NodeJS.Timeout | undefined;
  try {
    makeFolders();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `No browser can be let in, since the data folder can’t be written: ${reason}`;
    throw new AppError('data.unavailable', message, { file: dataFolder, reason });
  }
  /** Which folder of sessions we know. */
  let known = folderId(sessions);
  for (const name of readdirSync(invitations)) if (expiryOf(name) < now()) remove(join(invitations, name));
  for (const session of stored())
    if (session.usedAt + forgottenAfter < now()) end(session.id);
    else remembered.set(session.id, session);

  function sessionPath(id: string): string {
    return join(sessions, `${id}.json`);
  }

  function makeFolders(): void {
    for (const folder of [join(dataFolder, 'browsers'), sessions, invitations]) makeOwnFolder(folder);
  }

  const isLost = () => folderId(sessions) !== known;

  function expiryOf(name: string): number {
    return Number(read(join(invitations, name)) ?? 0);
  }

  function redeem(code: string): boolean {
    const name = sha256(code);
    const isInTime = expiryOf(name) >= now();
    if (!remove(join(invitations, name)) || redeemed.has(name)) return false;
    invited.delete(name);
    redeemed.add(name);
    return isInTime;
  }

  function stored(): Session[] {
    return readdirSync(sessions).flatMap((name) => readSession(join(sessions, name)) ?? []);
  }

  function all(): Session[] {
    return isLost() ? [...remembered.values()] : stored();
  }

  function find(id: string): Session | null {
    if (ended.has(id)) return null;
    return readSession(sessionPath(id)) ?? (isLost() ? (remembered.get(id) ?? null) : null);
  }

  function keep(session: Session): Session {
    replaceFileSync(sessionPath(session.id), JSON.stringify(session));
    remembered.set(session.id, session);
    ended.delete(session.id);
    return session;
  }

  /** Takes over what other processes did with the files. */
  function review(): void {
    clearTimeout(calm);
    calm = undefined;
    if (!isLost()) {
      const there = new Map(stored().map((session) => [session.id, session]));
      for (const id of remembered.keys()) {
        // One that can't be read now is none that was ended.
        if (there.has(id) || existsSync(sessionPath(id))) continue;
        remembered.delete(id);
        ended.add(id);
      }
      for (const [id, session] of there) remembered.set(id, session);
    }
    for (const listener of followers) listener();
  }

  function follow(): void {
    watcher?.close();
    watcher = watch(sessions, { persistent: false }, () => {
      calm ??= setTimeout(review, calmMs).unref();
    });
    const opened = watcher;
    watcher.on('error', () => opened.close());
  }

  /** A full disk is no reason to keep a known browser out. */
  function used(session: Session): Session {
    try {
      return keep(session);
    } catch {
      return session;
    }
  }

  function end(id: string): boolean {
    return remove(join(sessions, `${id}.json`));
  }

  return {
    invite(lifetime = minute) {
      const code = randomBytes(18).toString('base64url');
      const [name, until] = [sha256(code), now() + lifetime];
      writeNewSync(join(invitations, name), String(until));
      invited.set(name, until);
      return code;
    },
    enter({ key, signature, invitation, nonce, origin, port, browser }) {
      if (!isSigned(key, signature, entryText(nonce, origin))) return null;
      const id = sha256(key).slice(0, 16);
      const session = find(id);
      if (session?.key === key && session.origin === origin && session.port === port)
        return used({ ...session, browser, usedAt: now() });
      if (invitation === null || !redeem(invitation)) return null;
      return keep({ id, key, origin, port, browser, madeAt: now(), usedAt: now() });
    },
    sessions: all,
    end: (id) => /^[0-9a-f]{16}$/.test(id) && end(id),
    onChange(listener) {
      followers.add(listener);
      if (watcher === null) follow();
      return () => {
        followers.delete(listener);
        if (followers.size > 0) return;
        clearTimeout(calm);
        calm = undefined;
        watcher?.close();
        watcher = null;
      };
    },
    putBack() {
      makeFolders();
      for (const id of ended) remove(sessionPath(id));
      if (isLost())
        for (const session of remembered.values()) if (!existsSync(sessionPath(session.id))) keep(session);
      for (const name of redeemed) remove(join(invitations, name));
      for (const [name, until] of invited)
        if (until >= now() && !existsSync(join(invitations, name)))
          writeNewSync(join(invitations, name), String(until));
      known = folderId(sessions);
      if (watcher !== null) follow();
      review();
    },
  };
}

/** False where there is none, or a folder. */
function remove(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Null for a file that is gone or damaged: it costs that one session. */
function readSession(path: string): Session | null {
  if (!path.endsWith('.json')) return null;
  try {
    return SessionFile.parse(JSON.parse(read(path) ?? ''));
  } catch {
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileAtSync(path, largestSetting).toString('utf8');
  } catch {
    return null;
  }
}

function isSigned(key: string, signature: string, text: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' });
    if (publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return false;
    return verify(
      'sha256',
      Buffer.from(text),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  } catch {
    return false;
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
