import type { NoteUpdate } from '../../../../contract/notes';

/** Hands on what came within one frame at once; a window that paints nothing gets it a little later, a held one once it is held no more. */
export function createFrameInbox(
  deliver: (updates: NoteUpdate[]) => void,
  isHeld: (updates: readonly NoteUpdate[]) => boolean,
) {
  let updates: NoteUpdate[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const wait = () => {
    frame = requestAnimationFrame(flush);
    timer = setTimeout(flush, 100);
  };
  const isWaiting = () => isHeld(updates);
  const flush = () => {
    cancel();
    if (isWaiting()) return wait();
    const batch = updates;
    updates = [];
    if (batch.length > 0) deliver(batch);
  };
  return {
    add(more: readonly NoteUpdate[]) {
      updates.push(...more);
      if (timer === undefined) wait();
    },
    flush,
    isHeld: isWaiting,
    close: cancel,
  };
}
