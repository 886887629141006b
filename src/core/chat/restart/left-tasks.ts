import type { CallOutcome } from '../../../contract/tools';
import type { Notes } from '../../notes';
import type { LeftTask } from '../../tools';
import type { NoteReading } from '../note/note-reading';
import { openCalls, replaceCall, taskOf } from '../note/open-calls';
import type { Runs } from '../note/runs';
import { cardReads, type WrittenWords } from '../note/written-words';
import { type CallParts, toolResult } from '../tool-blocks/calls';
import { showLoneCall } from '../tool-blocks/lone-call';

/** A call that an earlier start of the app began has its result now. */
export interface TaskEnded {
  readonly left: LeftTask;
  readonly outcome: CallOutcome;
  /** Where its result stands; null: its place is gone, or it never had one. */
  readonly placedIn: string | null;
}

/** Calls that an earlier start of the app left at their servers: followed to their end, then written where they stand. */
export function createLeftTasks(
  parts: CallParts & {
    readonly notes: Notes;
    readonly reading: NoteReading;
    readonly runs: Runs;
    readonly writtenWords: Pick<WrittenWords, 'keep' | 'of'>;
    readonly onTaskEnded: (ended: TaskEnded) => void;
  },
) {
  const { tools, notes, reading, log } = parts;

  /** Never rejects. */
  async function follow(leftTask: LeftTask): Promise<void> {
    const { callId, path, serverName: server, tool, task } = leftTask;
    const call = showLoneCall(parts, { callId, path, server, tool, startedAt: task.createdAt });
    try {
      const outcome = await tools.resume(leftTask, call.signal, call.onStep);
      if (outcome.status === 'interrupted') return;
      const placedIn = path !== null && (await place(path, leftTask, outcome)) ? path : null;
      tools.forgetTask(callId);
      parts.onTaskEnded({ left: leftTask, outcome, placedIn });
    } catch (error) {
      // The result stays at the server and in our list: the next start tries again.
      log.warn('result of a task not written', { path, error });
    } finally {
      call.end();
    }
  }

  /** False where neither the note nor the call in it is there any more. Throws where the note cannot be written. */
  async function place(path: string, leftTask: LeftTask, outcome: CallOutcome): Promise<boolean> {
    const hold = await notes.hold(path).catch((error: unknown) => {
      log.info('note of a task not opened', { path, error });
      return null;
    });
    if (!hold) return false;
    const { session, release } = hold;
    try {
      const result = await toolResult(outcome, leftTask.tool, null, parts);
      const open = openCalls(reading.parse(session.text()));
      const alike = open.filter(
        ({ server, tool }) => server === leftTask.serverName && tool === leftTask.tool,
      );
      // The app may have died between keeping the task and writing its word into the note.
      const unmarked = alike.filter((call) => taskOf(call.result) === null);
      const call =
        open.find((one) => taskOf(one.result) === leftTask.callId) ??
        (unmarked.length === 1 ? unmarked[0] : undefined);
      if (!call) return false;
      const ended = { ...result, turn: call.result.turn };
      const text = session.text();
      const carried = cardReads(parts.writtenWords.of(session.path, text), text.slice(call.from, call.to));
      replaceCall(session, leftTask.callId, call, ended, reading.tags([]));
      parts.writtenWords.keep(session.path, { cards: [call.print(ended)], carried });
      await session.save();
      return true;
    } finally {
      release();
    }
  }

  return { follow };
}
