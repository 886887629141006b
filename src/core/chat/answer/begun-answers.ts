import { AnswerRun } from '../../../contract/chat';
import { printFailure } from '../../../markdown';
import { type Clock, type Database, isAlive, type Log } from '../../foundation';
import type { NoteSession } from '../../notes';

/** An answer as it began, and the session that it is written in. */
export interface BegunAnswer {
  readonly vault: string;
  readonly sessionId: string;
  readonly run: AnswerRun;
  /** The text of the answer that it was to take the place of. */
  readonly old?: string;
}

/** The answers that have begun and not ended: what is left when an app dies says which ones broke off. */
export interface BegunAnswers {
  /** Resolves when it is written down. */
  begin(answer: BegunAnswer): Promise<unknown>;
  end(runId: string): void;
  /** It ended because its app did, and its note says so: who opens the vault next shows it. */
  leave(answer: BegunAnswer): void;
  /** Those that were written in a session whose app is gone, each once. */
  takeLeft(vault: string, sessionId: string): Promise<BegunAnswer[]>;
  /** Those that were left, each once. */
  takeEnded(vault: string): Promise<AnswerRun[]>;
  /** Forgets those of a vault whose app is gone. */
  forgetLeft(vault: string): Promise<void>;
}

interface Row {
  run_id: string;
  vault: string;
  session_id: string;
  run: string;
  pid: number;
}

export function createBegunAnswers({ database, log }: { database: Database; log: Log }): BegunAnswers {
  const rows = database.table<Row>(`
    create table if not exists answers_under_way (
      run_id text primary key, vault text not null, session_id text not null, run text not null, pid integer not null
    ) strict
  `);
  const own = new Set<string>();

  function put({ vault, sessionId, run, old }: BegunAnswer): Promise<unknown> {
    const { runId } = run;
    const row = {
      run_id: runId,
      vault,
      session_id: sessionId,
      run: JSON.stringify({ ...run, old }),
      pid: process.pid,
    };
    return rows.put(row).catch((error: unknown) => log.error('answer under way not kept', { error }));
  }

  return {
    begin(answer) {
      own.add(answer.run.runId);
      return put(answer);
    },
    end(runId) {
      if (own.delete(runId)) void rows.remove({ run_id: runId });
    },
    leave(answer) {
      own.delete(answer.run.runId);
      void put(answer);
    },
    async takeEnded(vault) {
      const ended: AnswerRun[] = [];
      for (const row of rows.all({ vault })) {
        const run = own.has(row.run_id) ? null : readRun(row.run);
        if (run?.finishedAt != null && (await rows.exchange(row, null))) ended.push(run);
      }
      return ended;
    },
    async takeLeft(vault, sessionId) {
      const leftAnswers: BegunAnswer[] = [];
      for (const row of rows.all({ vault, session_id: sessionId })) {
        const run = own.has(row.run_id) ? null : readRun(row.run);
        // Who is second to see that its app is gone marks nothing.
        if (run?.finishedAt === null && (await rows.exchange(row, null)))
          leftAnswers.push({ vault, sessionId, run, ...readOld(row.run) });
      }
      return leftAnswers;
    },
    async forgetLeft(vault) {
      const isOver = ({ pid, run_id: id }: Row) => (pid === process.pid ? !own.has(id) : !isAlive(pid));
      for (const row of rows.all({ vault })) if (isOver(row)) await rows.exchange(row, null);
    },
  };
}

function readRun(text: string): AnswerRun | null {
  try {
    return AnswerRun.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function readOld(text: string): Pick<BegunAnswer, 'old'> {
  const { old } = JSON.parse(text) as { old?: unknown };
  return typeof old === 'string' ? { old } : {};
}

/** What stands below an answer that ended without its end. */
export const brokeOff = (why: string): string =>
  printFailure('The answer broke off', why, 'Ask again.', { kind: 'broke-off' });

/** The run as it is shown once it is known that nobody writes it any more. */
export const asLeft = (run: AnswerRun, { path }: NoteSession, clock: Clock): AnswerRun => ({
  ...run,
  path,
  phase: { kind: 'broke-off' },
  finishedAt: clock.now(),
});
