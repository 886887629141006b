import { isUnder, movedPath } from '../../../contract/paths';
import type { PlannedChange } from '../../vault';
import type { Holders } from './holders';
import type { Move, OpenEntry, Places } from './places';

/** Called when the change has happened, or has failed. */
type End = (isDone: boolean) => void;

/**
 * Makes open notes ready for what the app itself is about to rename or remove: saved, and said in their journals. The answer
 * puts them in their new places.
 */
export function createOwnMoves({ places, holders }: { places: Places; holders: Holders }) {
  async function beforeRename(entry: OpenEntry, { from, to }: { from: string; to: string }): Promise<End> {
    const { session, saver } = entry.open;
    const proceed = await saver.pause();
    const path = movedPath(session.path, from, to);
    await session.setUnderway({ kind: 'rename', to: path });
    return (isDone) => {
      const isStill = isDone && session.life !== 'gone';
      if (isStill) {
        places.leave(entry);
        session.path = path;
        places.byPath.set(path, { kind: 'open', entry });
        holders.linger(entry);
      }
      void session.setUnderway(null);
      if (isStill) session.tell({ kind: 'renamed', path, byOthers: false });
      proceed();
    };
  }

  /** What was acknowledged goes to the trash with the note. */
  async function beforeTrash(entry: OpenEntry): Promise<End> {
    const { session, saver } = entry.open;
    session.life = 'closing';
    await saver.save();
    const proceed = await saver.pause();
    if (session.isDirty()) await session.setUnderway({ kind: 'trash' });
    return (isDone) => {
      if (isDone) holders.drop(entry, 'trashed');
      else if (session.life !== 'gone') {
        session.life = 'open';
        void session.setUnderway(null);
        holders.linger(entry);
      }
      proceed();
    };
  }

  return async function beforeMove(planned: PlannedChange): Promise<End> {
    const from = planned.kind === 'rename' ? planned.from : planned.path;
    const to = planned.kind === 'rename' ? planned.to : planned.path;
    const paths = [from, to];
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = [...places.moves].filter((move) =>
      move.paths.some((a) => paths.some((b) => isUnder(a, b) || isUnder(b, a))),
    );
    const move: Move = { paths, done: promise };
    places.moves.add(move);
    await Promise.all(earlier.map((other) => other.done));
    await places.restUnder(from);
    await places.restUnder(to);
    const moved = places.all().filter(({ open }) => isUnder(open.session.path, from));
    const ends = await Promise.all(
      moved.map((entry) => (planned.kind === 'rename' ? beforeRename(entry, planned) : beforeTrash(entry))),
    );
    return (isDone) => {
      const overwritten = places.all().filter((entry) => isUnder(entry.open.session.path, to));
      for (const entry of overwritten) if (isDone && !moved.includes(entry)) holders.drop(entry, 'replaced');
      for (const end of ends) end(isDone);
      places.moves.delete(move);
      resolve();
    };
  };
}
