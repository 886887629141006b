import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { folderId, replaceFileSync } from '../../files';
import { readText, removeFile } from './key-files';

/** A browser that did not come for so long has to be invited again. */
const forgottenAfter = 180 * 24 * 60 * 60_000;

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

/** The browsers that are let in, a file each; what was read or written is remembered for when the folder is lost. */
export interface Sessions {
  all(): Session[];
  find(id: string): Session | null;
  keep(session: Session): Session;
  /** False where there is none. */
  end(id: string): boolean;
  /** What was there before, without those that were not used for long. */
  readStored(): void;
  /** Takes over what other processes did with the files. */
  review(): void;
  /** Into a folder that was made anew. */
  putBack(): void;
  /** The folder that is there now is ours. */
  takeFolder(): void;
}

/** `folder` is there. */
export function createSessions(folder: string, now: () => number): Sessions {
  const remembered = new Map<string, Session>();
  const ended = new Set<string>();
  /** Which folder of sessions we know. */
  let ownFolder = folderId(folder);

  const pathOf = (id: string) => join(folder, `${id}.json`);
  const isLost = () => folderId(folder) !== ownFolder;
  const stored = () => readdirSync(folder).flatMap((name) => readSession(join(folder, name)) ?? []);
  const end = (id: string) => removeFile(pathOf(id));

  function keep(session: Session): Session {
    replaceFileSync(pathOf(session.id), JSON.stringify(session));
    remembered.set(session.id, session);
    ended.delete(session.id);
    return session;
  }

  return {
    all: () => (isLost() ? [...remembered.values()] : stored()),
    find(id) {
      if (ended.has(id)) return null;
      return readSession(pathOf(id)) ?? (isLost() ? (remembered.get(id) ?? null) : null);
    },
    keep,
    end,
    readStored() {
      for (const session of stored())
        if (session.usedAt + forgottenAfter < now()) end(session.id);
        else remembered.set(session.id, session);
    },
    review() {
      if (isLost()) return;
      const there = new Map(stored().map((session) => [session.id, session]));
      for (const id of remembered.keys()) {
        // One that can't be read now is none that was ended.
        if (there.has(id) || existsSync(pathOf(id))) continue;
        remembered.delete(id);
        ended.add(id);
      }
      for (const [id, session] of there) remembered.set(id, session);
    },
    putBack() {
      for (const id of ended) removeFile(pathOf(id));
      if (isLost())
        for (const session of remembered.values()) if (!existsSync(pathOf(session.id))) keep(session);
    },
    takeFolder() {
      ownFolder = folderId(folder);
    },
  };
}

/** Null for a file that is gone or damaged: it costs that one session. */
function readSession(path: string): Session | null {
  if (!path.endsWith('.json')) return null;
  try {
    return SessionFile.parse(JSON.parse(readText(path) ?? ''));
  } catch {
    return null;
  }
}
