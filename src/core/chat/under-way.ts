import { RunPicture } from '../../contract/chat';
import { printFailure } from '../../markdown';
import { type Clock, type Database, isAlive, type Log } from '../foundation';
import type { NoteSession } from '../notes';

/** An answer as it began, and the session that it is written in. */
export interface BegunAnswer {
  readonly vault: string;
  readonly sessionId: string;
  readonly run: RunPicture;
}

/** The answers that have begun and not ended: what is left when an app dies says which ones broke off. */
export interface UnderWay {
  begin(answer: BegunAnswer): void;
  end(runId: string): void;
  /** Those of a vault whose app is gone, each once. */
  takeLeft(vault: string): BegunAnswer[];
}

export function createUnderWay({ database, log }: { database: Database; log: Log }): UnderWay {
  const { sql } = database;
  database.define(`
    create table if not exists answers_under_way (
      run_id text primary key, vault text not null, session_id text not null, run text not null, pid integer not null
    ) strict;
  `);
  const insert = sql.prepare(
    'insert or replace into answers_under_way (run_id, vault, session_id, run, pid) values (?, ?, ?, ?, ?)',
  );
  const remove = sql.prepare('delete from answers_under_way where run_id = ?');
  const ofVault = sql.prepare('select * from answers_under_way where vault = ?');
  const own = new Set<string>();

  /** A full disk keeps no answer from being written. */
  function quietly(work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error('answer under way not kept', { error });
    }
  }

  return {
    begin({ vault, sessionId, run }) {
      own.add(run.runId);
      quietly(() => insert.run(run.runId, vault, sessionId, JSON.stringify(run), process.pid));
    },
    end(runId) {
      if (own.delete(runId)) quietly(() => remove.run(runId));
    },
    takeLeft: (vault) =>
      ofVault.all(vault).flatMap((row) => {
        const isOurs = Number(row.pid) === process.pid;
        const isOver = isOurs ? !own.has(String(row.run_id)) : !isAlive(Number(row.pid));
        // Who is second to see that its app is gone marks nothing.
        if (!isOver || remove.run(String(row.run_id)).changes === 0) return [];
        const run = readRun(String(row.run));
        return run ? [{ vault, sessionId: String(row.session_id), run }] : [];
      }),
  };
}

function readRun(text: string): RunPicture | null {
  try {
    return RunPicture.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What stands below an answer that ended without its end. */
export const brokeOff = (why: string): string =>
  printFailure('The answer broke off', why, 'Ask again.', { kind: 'broke-off' });

/** The run as it is shown once it is known that nobody writes it any more. */
export const asLeft = (run: RunPicture, { path }: NoteSession, clock: Clock): RunPicture => ({
  ...run,
  path,
  phase: { kind: 'finished', reason: 'cancelled' },
  finishedAt: clock.now(),
});
