import { useEffect } from 'react';
import { commandFor } from './commands';
import { connection } from './connected';
import { type HeldKeys, holdKeys } from './held-keys';
import { useLayout } from './layout';

const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead)$/;

/** From the press that asks for a note to write in until its editor is there, what is typed waits for that editor. */
export function useKeysForNote(): void {
  useEffect(() => {
    let awaited = inWhat();
    let held: KeyboardEvent[] = [];
    let catching: HeldKeys | null = null;

    const stop = () => {
      catching?.release();
      held.push(...(catching?.keys ?? []));
      catching = null;
    };
    const drop = () => {
      stop();
      held = [];
    };
    const start = () => {
      stop();
      // Then nothing is made or opened before long.
      if (!connection.isThere) return;
      connection.lost.addEventListener('abort', stop);
      catching = holdKeys({
        isHeld: ({ key }) => !modifiers.test(key),
        passes: (event) => event.key !== 'Escape' && commandFor(event) !== undefined,
        onEscape: drop,
      });
    };
    const give = (path: string | null) => {
      stop();
      const keys = held;
      held = [];
      const { editor } = useLayout.getState();
      if (editor && editor.path === path) for (const key of keys) editor.press(key);
    };

    const stopFollowing = useLayout.subscribe(({ modal }, before) => {
      const last = awaited;
      awaited = inWhat();
      if (awaited === last) {
        // A dialog has its own.
        if (modal && modal !== before.modal) stop();
      } else if (!awaited) give(last?.path ?? null);
      else {
        if (last && last.path !== null && last.path !== awaited.path) drop();
        start();
      }
    });
    // Whoever takes the mouse goes somewhere else; what they have typed was for the note.
    window.addEventListener('pointerdown', stop, true);
    return () => {
      window.removeEventListener('pointerdown', stop, true);
      stopFollowing();
      connection.lost.removeEventListener('abort', stop);
      stop();
    };
  }, []);
}

/** What is put into a note comes before what is typed there. */
function inWhat() {
  const { wanted, insertion } = useLayout.getState();
  return wanted ?? insertion;
}
