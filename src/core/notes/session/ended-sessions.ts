import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { NoteUpdate, type SeenState } from '../../../contract/notes';
import { appendAtSync, makeOwnFolder, readFileAtSync } from '../../../files';
import type { Log } from '../../foundation';
import type { History } from '../text/recent-updates';
import { type Epoch, isWithin } from './epoch';

/**
 * What sessions had taken by the time they ended. A window that comes back with changes on their way is told which of them
 * arrived; from the text alone it could only guess, for others may have written the like there since. A session whose app died
 * is not here but in its journal.
 */
export interface EndedSessions {
  /** `isOver`: its note is no more, and what is at its place is another one. */
  add(sessionId: string, epoch: Epoch, history: Pick<History, 'version' | 'recent'>, isOver: boolean): void;
  /** What became of its session after this; null: nobody knows, or not any more. */
  since(seenState: SeenState): FateOfSession | null;
  /** Removes those that no window will ask for any more. */
  tidy(): void;
}

/**
 * What it took after a follower saw it, or that it lost what had followed on this version though the follower saw that.
 * `another`: what is at its place is another note.
 */
export type FateOfSession = (
  | { readonly former: NoteUpdate[] }
  | { readonly lostAfter: number }
  | Record<never, never>
) & { readonly another?: true };

const EndedSession = z.object({
  format: z.literal(1),
  /** At its end. */
  version: z.number().int().nonnegative(),
  /** The last ones. */
  updates: z.array(NoteUpdate),
  /** Its last one. Versions before this are older. */
  epoch: z.object({ id: z.string(), began: z.number().int().nonnegative() }).optional(),
  another: z.literal(true).optional(),
});

const recent = { updates: 2_000, weight: 512 * 1024 };
/** Bytes; the weight of updates is a rough one. */
const largest = 16 * 1024 * 1024;
const longestKeptMs = 30 * 24 * 3_600_000;
const mostKept = 500;
const ending = '.session';

export function createEndedSessions({
  folder,
  log,
  now,
}: {
  /** Absolute. */
  folder: string;
  log: Log;
  now: () => number;
}): EndedSessions {
  const fileOf = (sessionId: string) => join(folder, `${sessionId}${ending}`);

  function names(): string[] {
    try {
      return readdirSync(folder).filter((name) => name.endsWith(ending));
    } catch {
      return [];
    }
  }

  return {
    add(sessionId, epoch, history, isOver) {
      const { version } = history;
      const updates = history.recent(recent).map(({ update }) => update);
      try {
        makeOwnFolder(folder);
        rmSync(fileOf(sessionId), { force: true });
        appendAtSync(
          fileOf(sessionId),
          JSON.stringify({ format: 1, version, updates, epoch, ...(isOver && { another: true }) }),
        );
      } catch (error) {
        log.warn('end of a session not kept', { sessionId, error });
      }
    },
    since(seenState) {
      const { sessionId, version } = seenState;
      if (!/^[0-9a-f]+$/.test(sessionId)) return null;
      try {
        const text = readFileAtSync(fileOf(sessionId), largest).toString('utf8');
        const ended = EndedSession.parse(JSON.parse(text));
        const missed = ended.version - version;
        const over = ended.another ? ({ another: true } as const) : null;
        if (ended.epoch && !isWithin(ended.epoch, seenState))
          return { lostAfter: ended.epoch.began, ...over };
        if (missed < 0) return { lostAfter: ended.version, ...over };
        if (missed > ended.updates.length) return over;
        return { former: ended.updates.slice(ended.updates.length - missed), ...over };
      } catch {
        return null;
      }
    },
    tidy() {
      const modified = names().flatMap((name) => {
        try {
          return [{ name, at: statSync(join(folder, name)).mtimeMs }];
        } catch {
          return [];
        }
      });
      modified.sort((a, b) => b.at - a.at);
      for (const [index, { name, at }] of modified.entries()) {
        if (index < mostKept && now() - at < longestKeptMs) continue;
        try {
          rmSync(join(folder, name), { force: true, recursive: true });
        } catch {
          // The next time.
        }
      }
    },
  };
}
