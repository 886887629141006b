import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type EnterMessage, entryText } from '../../bridge';
import { largestSetting, makeOwnFolder, readFileAtSync, replaceFileSync, writeNewSync } from '../../files';

const minute = 60_000;
/** A browser that did not come for so long has to be invited again. */
const forgottenAfter = 180 * 24 * 60 * minute;

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
}

/**
 * Sessions and invitations are a file each in the data folder, so that they outlive the process and that the command line
 * can list, invite and end. A code is only kept as its hash; removing its file is what uses it up, so it works once
 * whoever asks at the same time.
 */
export function createAccess(dataFolder: string, now: () => number = Date.now): Access {
  const sessions = join(dataFolder, 'browsers', 'sessions');
  const invitations = join(dataFolder, 'browsers', 'invitations');
  for (const folder of [join(dataFolder, 'browsers'), sessions, invitations]) makeOwnFolder(folder);
  for (const name of readdirSync(invitations)) if (expiryOf(name) < now()) remove(join(invitations, name));
  for (const { id, usedAt } of all()) if (usedAt + forgottenAfter < now()) end(id);

  const sessionPath = (id: string) => join(sessions, `${id}.json`);

  function expiryOf(name: string): number {
    return Number(read(join(invitations, name)) ?? 0);
  }

  function redeem(code: string): boolean {
    const name = sha256(code);
    const isInTime = expiryOf(name) >= now();
    return remove(join(invitations, name)) && isInTime;
  }

  function all(): Session[] {
    return readdirSync(sessions).flatMap((name) => readSession(join(sessions, name)) ?? []);
  }

  function keep(session: Session): Session {
    replaceFileSync(sessionPath(session.id), JSON.stringify(session));
    return session;
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
      writeNewSync(join(invitations, sha256(code)), String(now() + lifetime));
      return code;
    },
    enter({ key, signature, invitation, nonce, origin, port, browser }) {
      if (!isSigned(key, signature, entryText(nonce, origin))) return null;
      const id = sha256(key).slice(0, 16);
      const known = readSession(sessionPath(id));
      if (known?.key === key && known.origin === origin && known.port === port)
        return used({ ...known, browser, usedAt: now() });
      if (invitation === null || !redeem(invitation)) return null;
      return keep({ id, key, origin, port, browser, madeAt: now(), usedAt: now() });
    },
    sessions: all,
    end: (id) => /^[0-9a-f]{16}$/.test(id) && end(id),
    onChange(listener) {
      const watcher = watch(sessions, { persistent: false }, listener);
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
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
