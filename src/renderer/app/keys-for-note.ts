import { useEffect } from 'react';
import { commandFor } from './commands';
import { connection } from './connected';
import { type HeldKeys, holdKeys } from './held-keys';
import { useLayout } from './layout';

const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead)$/;

type Awaited = NonNullable<ReturnType<typeof inWhat>>;

/** What was typed for one note. */
interface Typed {
  /** What was asked for first; it may be another one with each step that brings the note nearer. */
  readonly asked: Awaited;
  path: string | null;
  readonly keys: KeyboardEvent[];
}

/**
 * From the press that asks for a note to write in until its editor is there, what is typed waits for that editor: also where
 * the person has gone somewhere else meanwhile.
 */
export function useKeysForNote(): void {
  useEffect(() => {
    let awaited = inWhat();
    /** The last one asked for. */
    let current: Typed | null = null;
    let waiting: Typed[] = [];
    let catching: HeldKeys | null = null;

    const stop = () => {
      catching?.release();
      current?.keys.push(...(catching?.keys ?? []));
      catching = null;
    };
    const start = (next: Awaited) => {
      stop();
      const asked = 'asked' in next && next.asked ? next.asked : next;
      const path = next.path;
      const isIt = (one: Typed) => one.asked === asked || (path !== null && one.path === path);
      current = waiting.find(isIt) ?? { asked, path, keys: [] };
      current.path = path;
      waiting = [...waiting.filter((one) => one !== current), current];
      // Then nothing is made or opened before long.
      if (!connection.isThere) return;
      connection.lost.addEventListener('abort', stop);
      catching = holdKeys({
        isHeld: ({ key }) => !modifiers.test(key),
        passes: (event) => event.key !== 'Escape' && commandFor(event) !== undefined,
        onEscape: stop,
      });
    };
    const give = () => {
      const { editor } = useLayout.getState();
      const isThere = (one: Typed) => editor !== null && editor.path === one.path;
      const arrived = waiting.filter((one) => one !== current && isThere(one));
      waiting = waiting.filter((one) => one === current || (one.keys.length > 0 && !arrived.includes(one)));
      for (const { keys } of arrived) for (const key of keys) editor?.press(key);
    };

    const stopFollowing = useLayout.subscribe(({ modal, vault }, before) => {
      const last = awaited;
      awaited = inWhat();
      if (vault !== before.vault) {
        stop();
        [waiting, current] = [[], null];
      }
      if (awaited === last) {
        // A dialog has its own.
        if (modal && modal !== before.modal) stop();
      } else if (awaited) start(awaited);
      else {
        stop();
        current = null;
      }
      give();
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
