import { createHash, createPublicKey, verify } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { type EnterMessage, entryText } from '../../bridge';
import { AppError } from '../../contract/errors';
import { makeOwnFolder } from '../../files';
import { createInvitations } from './invitations';
import { createSessions, type Session } from './sessions';

const minute = 60_000;
/** Milliseconds after which a file that was removed was removed by itself, not with the folder around it. */
const calmMs = 100;

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
  invite(): string;
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
 * whoever asks at the same time. What was read or written is also remembered, for when the folder is lost. Long, since it is one list
 * of operations.
 */
export function createAccess(dataFolder: string, now: () => number = Date.now): Access {
  const sessionsFolder = join(dataFolder, 'browsers', 'sessions');
  const invitationsFolder = join(dataFolder, 'browsers', 'invitations');
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
  const sessions = createSessions(sessionsFolder, now);
  const invitations = createInvitations(invitationsFolder, now);
  invitations.removeExpired();
  sessions.readStored();

  function makeFolders(): void {
    for (const folder of [join(dataFolder, 'browsers'), sessionsFolder, invitationsFolder])
      makeOwnFolder(folder);
  }

  function review(): void {
    clearTimeout(calm);
    calm = undefined;
    sessions.review();
    for (const listener of followers) listener();
  }

  function follow(): void {
    watcher?.close();
    watcher = watch(sessionsFolder, { persistent: false }, () => {
      calm ??= setTimeout(review, calmMs).unref();
    });
    const opened = watcher;
    watcher.on('error', () => opened.close());
  }

  /** A full disk is no reason to keep a known browser out. */
  function used(session: Session): Session {
    try {
      return sessions.keep(session);
    } catch {
      return session;
    }
  }

  return {
    invite: () => invitations.create(minute),
    enter({ key, signature, invitation, nonce, origin, port, browser }) {
      if (!isSigned(key, signature, entryText(nonce, origin))) return null;
      const id = createHash('sha256').update(key).digest('hex').slice(0, 16);
      const session = sessions.find(id);
      if (session?.key === key && session.origin === origin && session.port === port)
        return used({ ...session, browser, usedAt: now() });
      if (invitation === null || !invitations.redeem(invitation)) return null;
      return sessions.keep({ id, key, origin, port, browser, madeAt: now(), usedAt: now() });
    },
    sessions: sessions.all,
    end: (id) => /^[0-9a-f]{16}$/.test(id) && sessions.end(id),
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
      sessions.putBack();
      invitations.putBack();
      sessions.takeFolder();
      if (watcher !== null) follow();
      review();
    },
  };
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
