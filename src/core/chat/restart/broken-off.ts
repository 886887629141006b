import { type Conversation, openFence, turnAt } from '../../../markdown';
import type { Clock, Log } from '../../foundation';
import type { NoteSession, Notes } from '../../notes';
import type { SettingsStore } from '../../settings';
import { asLeft, type BegunAnswer, type BegunAnswers, brokeOff } from '../answer/begun-answers';
import { openNextTurn } from '../note/next-turn';
import type { NoteReading } from '../note/note-reading';
import { leftStanding } from '../note/old-answer';
import type { Runs } from '../note/runs';
import { createWriter } from '../note/writer';
import { trimmedEnd } from '../question/place';

/** Answers that ended because their app died say so in their notes, by the hand that wrote them. */
export function createBrokenOff(parts: {
  readonly notes: Notes;
  readonly reading: NoteReading;
  readonly runs: Runs;
  readonly begunAnswers: BegunAnswers;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Does what else a note needs that its app left so. */
  readonly onOpened: (session: NoteSession) => void;
}) {
  const { notes, reading, runs, clock, log } = parts;

  function write(session: NoteSession, { run, old }: BegunAnswer): void {
    const last = session.lastBy(run.runId);
    if (last === null) return;
    // Whoever writes to the note after its end is known to be the one who answered.
    const endedRun = asLeft(run, session, clock);
    runs.show(endedRun);
    parts.onOpened(session);
    const text = session.text();
    const at = endOfAnswer(
      reading.parse(text),
      text,
      Math.min(text.length, session.lastBy(run.runId) ?? last),
    );
    const turn = turnAt(reading.parse(text), at);
    const tag = turn?.tag ?? 'Assistant';
    const writer = createWriter({
      ...{ session, clientId: run.runId, at, tags: reading.tags([]), tag, clock, isTakenUp: true },
      ...(old !== undefined && { old: leftStanding(old) }),
      onBroken: (error) => log.warn('broken answer not marked', { path: session.path, error }),
    });
    try {
      writer.block(brokeOff('The app ended while it was being written.'));
      const end = writer.position();
      const parting = partingBelow(session.text().slice(end));
      if (parting !== '') session.edit(run.runId, { from: end, insert: parting });
      openNextTurn(session, run.runId, { end, tag }, parts);
    } finally {
      writer.close();
      // It is over now: what it wrote is kept.
      runs.show(endedRun);
    }
  }

  return {
    /**
     * Never rejects. `recovered`: the notes that were open when their app died, and whose sessions are taken over from it. That
     * says more than the number of its process, which another may have by now.
     */
    async mark(vault: string, recovered: readonly string[]): Promise<void> {
      for (const path of recovered) {
        try {
          const { session, release } = await notes.hold(path);
          try {
            const brokenAnswers = await parts.begunAnswers.takeLeft(vault, session.sessionId);
            for (const one of brokenAnswers) write(session, one);
            if (brokenAnswers.length > 0) await session.save();
          } finally {
            release();
          }
        } catch (error) {
          log.warn('broken answers not marked', { path, error });
        }
      }
      await parts.begunAnswers
        .takeEnded(vault)
        .then((ended) => ended.forEach(runs.show))
        .catch((error: unknown) => log.warn('broken answers not shown', { error }));
      await parts.begunAnswers
        .forgetLeft(vault)
        .catch((error: unknown) => log.warn('broken answers not forgotten', { error }));
    },
  };
}

/** `last`: behind what its hand wrote last, which may be the blank lines that part it from what follows. */
function endOfAnswer(conversation: Conversation, text: string, last: number): number {
  const words = text.slice(0, last).trimEnd().length;
  const end = words + (/^[ \t]*/.exec(text.slice(words, last))?.[0].length ?? 0);
  // In the middle of code all that follows is part of it.
  if (openFence(text.slice(0, end)) !== '') return end;
  const turn = turnAt(conversation, end);
  return turn?.role === 'assistant' ? Math.max(end, trimmedEnd(text, turn)) : end;
}

/** So that what follows stands in a paragraph of its own. */
function partingBelow(below: string): string {
  const [blanks = ''] = /^\s*/.exec(below) ?? [];
  return blanks === below ? '' : '\n'.repeat(Math.max(0, 3 - blanks.split('\n').length));
}
