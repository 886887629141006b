import { useEffect } from 'react';
import { commandFor } from './commands';
import { connection } from './connected';
import { type HeldKeys, holdKeys, textOf } from './held-keys';
import { useLayout } from './layout';
import { newNote } from './make-note';
import { keepUnmade } from './unmade';

const modifiers = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead)$/;

type NotMade = NonNullable<ReturnType<typeof useLayout.getState>['notMade']>;
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
 * the person has gone somewhere else meanwhile. Where the note cannot be made it is kept in the place of the note.
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
      const before = waiting.find(isIt);
      current = before ?? { asked, path, keys: [] };
      current.path = path;
      waiting = [...waiting.filter((one) => one !== current), current];
      // A dialog that came meanwhile has its own.
      if (before && useLayout.getState().modal) return;
      // Then nothing is opened before long, and what is to be made is refused.
      if (path !== null && !connection.isThere) return;
      if (path !== null) connection.lost.addEventListener('abort', stop);
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

    const keep = ({ wanted, asked, error }: NotMade, vault: string | null) => {
      const typed = waiting.find((one) => one.asked === wanted);
      const goesOn = typed !== undefined && typed === current && catching !== null;
      if (typed === current) stop();
      waiting = waiting.filter((one) => one !== typed);
      const text = textOf(typed?.keys ?? []);
      if (vault === null || (asked === null && text === '')) return;
      const elsewhere = { ...newNote(), what: '' };
      keepUnmade(vault, { asked: asked ?? elsewhere, error, typed: text, goesOn: goesOn && asked !== null });
    };

    const stopFollowing = useLayout.subscribe(({ modal, vault, notMade }, before) => {
      if (notMade && notMade !== before.notMade) keep(notMade, vault);
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
