import type { RunPicture } from '../../contract/chat';
import type { CallOutcome } from '../../contract/tools';
import type { Notes } from '../notes';
import type { LeftTask } from '../tools';
import { type CallParts, toolResult } from './calls';
import type { TaskEnded } from './door';
import type { NoteReading } from './reading';
import { openCalls, replaceCall, taskOf } from './recover';
import type { Runs } from './runs';

/** Calls that an earlier start of the app left at their servers: followed to their end, then written where they stand. */
export function createLeftTasks(
  parts: CallParts & {
    readonly notes: Notes;
    readonly reading: NoteReading;
    readonly runs: Runs;
    readonly onTaskEnded: (ended: TaskEnded) => void;
  },
) {
  const { tools, notes, reading, runs, log } = parts;

  /** Never rejects. */
  async function follow(left: LeftTask): Promise<void> {
    const { callId } = left;
    const stop = new AbortController();
    const forget = runs.stoppable(callId, (reason) => stop.abort(reason));
    runs.join(callId, (reason) => stop.abort(reason));
    let picture = pictureOf(left);
    if (picture) runs.show(picture);
    try {
      const outcome = await tools.resume(left, stop.signal, (step) => {
        if (!picture || step.kind !== 'progress') return;
        const { progress, total, message } = step;
        const calls = picture.calls.map((call) => ({ ...call, progress: { progress, total, message } }));
        picture = { ...picture, calls };
        runs.show(picture);
      });
      if (outcome.status === 'interrupted') return;
      const placedIn = left.path !== null && (await place(left.path, left, outcome)) ? left.path : null;
      tools.forgetTask(callId);
      parts.onTaskEnded({ left, outcome, placedIn });
    } catch (error) {
      // The result stays at the server and in our list: the next start tries again.
      log.warn('result of a task not written', { path: left.path, error });
    } finally {
      forget();
      runs.release(callId);
      runs.hide(callId);
    }
  }

  /** False where neither the note nor the call in it is there any more. Throws where the note cannot be written. */
  async function place(path: string, left: LeftTask, outcome: CallOutcome): Promise<boolean> {
    const held = await notes.hold(path).catch((error: unknown) => {
      log.info('note of a task not opened', { path, error });
      return null;
    });
    if (!held) return false;
    const { session, release } = held;
    try {
      const result = await toolResult(outcome, left.tool, null, parts);
      const open = openCalls(reading.parse(session.text()));
      const alike = open.filter(({ server, tool }) => server === left.serverName && tool === left.tool);
      // The app may have died between keeping the task and writing its word into the note.
      const unmarked = alike.filter((call) => taskOf(call.result) === null);
      const call =
        open.find((one) => taskOf(one.result) === left.callId) ??
        (unmarked.length === 1 ? unmarked[0] : undefined);
      if (!call) return false;
      replaceCall(session, left.callId, call, { ...result, turn: call.result.turn });
      await session.save();
      return true;
    } finally {
      release();
    }
  }

  return { follow };
}

/** Where the note shows how far it is, and where it can be stopped; null where it belongs to no note. */
function pictureOf({ callId, path, serverName, tool, task }: LeftTask): RunPicture | null {
  if (path === null) return null;
  return {
    runId: callId,
    path,
    provider: serverName,
    model: tool,
    phase: { kind: 'calling', running: 1, asked: 0 },
    round: 0,
    startedAt: task.createdAt,
    finishedAt: null,
    characters: 0,
    usage: null,
    cost: null,
    calls: [
      {
        callId,
        server: serverName,
        tool,
        state: 'running',
        startedAt: task.createdAt,
        ms: null,
        progress: null,
      },
    ],
  };
}
