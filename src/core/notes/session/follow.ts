import type { NoteEvent, SeenState } from '../../../contract/notes';
import type { Clock } from '../../foundation';
import type { FateOfSession } from './ended-sessions';
import { isWithin } from './epoch';
import type { Session } from './session';

/** Updates of a run come at most this often. */
const batchMs = 33;

/**
 * What a follower is told: its state first, then everything that happens, until the signal fires or the session ends. `at`: where
 * it takes the note to be. One closure, since whatever wakes it, what comes next depends on all that was told before.
 */
export async function* follow(
  session: Session,
  seenState: SeenState | null,
  clock: Clock,
  { leaving, ended }: { leaving: AbortSignal; ended: AbortSignal },
  signal: AbortSignal,
  { at, another, fate }: { at: string; another: boolean; fate: FateOfSession | null },
): AsyncGenerator<NoteEvent> {
  const { note, sessionId, save } = session;
  const epoch = session.epoch.id;
  const { path, vault } = session;
  const events: NoteEvent[] = path === at ? [] : [{ kind: 'renamed', path, byOthers: false }];
  let toldVersion = note.version;
  let toldSave = save.get();
  let toldAt = Number.NEGATIVE_INFINITY;
  let urgent = false;
  let toldLeaving = false;
  let wake: () => void = () => undefined;
  let batching = false;
  let cancelBatch: () => void = () => undefined;

  const file = () => (session.base.file === null ? {} : { file: session.base.file });

  const opened = (): Extract<NoteEvent, { kind: 'opened' }> => {
    toldVersion = note.version;
    toldSave = save.get();
    const { readOnly } = session;
    const text = note.doc.toString();
    return {
      kind: 'opened',
      sessionId,
      version: toldVersion,
      epoch,
      text,
      save: toldSave,
      readOnly,
      vault,
      ...file(),
    };
  };

  const first = (): NoteEvent => {
    const isIts = seenState?.sessionId === sessionId;
    if (isIts && !isWithin(session.epoch, seenState)) return { ...opened(), lostAfter: session.epoch.began };
    const missed = isIts ? note.history.since(seenState.version) : null;
    if (!missed) return { ...opened(), ...(another && { another }), ...fate };
    const updates = missed.map(({ update }) => update);
    return {
      kind: 'rejoined',
      sessionId,
      version: toldVersion,
      epoch,
      updates,
      save: toldSave,
      readOnly: session.readOnly,
      vault,
      ...file(),
    };
  };

  const next = (): NoteEvent | null => {
    // Before the updates: nobody should see new text and still believe it saved.
    if (save.get() !== toldSave) {
      toldSave = save.get();
      return { kind: 'save', save: toldSave, ...file() };
    }
    if (toldVersion !== note.version && (urgent || ended.aborted || clock.now() - toldAt >= batchMs)) {
      urgent = false;
      toldAt = clock.now();
      const updates = note.history.since(toldVersion)?.map(({ update }) => update);
      if (!updates) return opened();
      toldVersion = note.version;
      return { kind: 'updates', updates };
    }
    if (leaving.aborted && !toldLeaving) {
      toldLeaving = true;
      return { kind: 'leaving' };
    }
    if (toldVersion !== note.version && !batching) {
      batching = true;
      cancelBatch = clock.after(Math.max(1, toldAt + batchMs - clock.now()), () => {
        batching = false;
        wake();
      });
    }
    return events.shift() ?? null;
  };

  const onWake = () => wake();
  const stops = [
    session.onText((urgency) => {
      if (urgency === 'now') urgent = true;
      wake();
    }),
    session.onEvent((event) => {
      events.push(event);
      wake();
    }),
    save.onChange(onWake),
  ];
  signal.addEventListener('abort', onWake);
  leaving.addEventListener('abort', onWake);
  ended.addEventListener('abort', onWake);
  try {
    yield first();
    while (!signal.aborted) {
      const event = next();
      if (event) yield event;
      else if (ended.aborted) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (signal.aborted || ended.aborted) resolve();
        });
      }
    }
  } finally {
    cancelBatch();
    for (const stop of stops) stop();
    signal.removeEventListener('abort', onWake);
    leaving.removeEventListener('abort', onWake);
    ended.removeEventListener('abort', onWake);
  }
}
