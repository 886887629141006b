import type { Log } from '../../foundation';
import type { Vault } from '../../vault';
import type { NotesObserver } from '../session/observer';
import type { Session } from '../session/session';
import type { Holders } from './holders';
import type { Place, Places } from './places';

/** Sends open notes after their files where another program moves them. */
export interface MovedByOthers {
  /**
   * As after a rename by the app, only that it has happened already. Where another open note was until then, that one goes on,
   * too. False: it can't stand there now.
   */
  onMoved(session: Session, to: string): boolean;
  /** Whether the note there is an open one that another program moved: that goes on there, before anybody opens it anew. */
  followTo(path: string): boolean;
}

interface Step {
  readonly session: Session;
  readonly place: Place;
  readonly to: string;
}

export function createMovedByOthers({
  places,
  holders,
  vault,
  observer,
  log,
}: {
  places: Places;
  holders: Pick<Holders, 'drop'>;
  vault: Pick<Vault, 'fileAt' | 'whereIs'>;
  observer: NotesObserver | null;
  log: Log;
}): MovedByOthers {
  const { byPath } = places;
  const isMoving = (path: string) => places.moveAt(path) !== undefined;

  /** Where the file of an open note is, if that is elsewhere. */
  function goesOn(session: Session): { session: Session; to: string } | null {
    const { file } = session.base;
    const to = file === null ? null : vault.whereIs(file);
    return to === null || to === session.path || vault.fileAt(session.path) === file ? null : { session, to };
  }

  /** Its own file is nowhere any more, and that of the other one has its place. */
  function isOverwritten({ path, base }: Session, by: Session | undefined): boolean {
    const file = vault.fileAt(path);
    if (file === null || file !== by?.base.file) return false;
    return file !== base.file && (base.file === null || vault.whereIs(base.file) === null);
  }

  /** The note, and those that go on from where it comes to stand. Null: one of them can't stand there now. */
  function stepsFrom(session: Session, to: string): readonly Step[] | null {
    const steps: Step[] = [];
    for (let next: { session: Session; to: string } | null = { session, to }; next; ) {
      const { path } = next.session;
      const place = byPath.get(path);
      // One that was dropped while it was looked for may be known to be elsewhere only when another has its place.
      const isIts = place && (place.kind === 'opening' || place.entry.open.session === next.session);
      if (next.session.life === 'gone' || !isIts || isMoving(path) || isMoving(next.to)) return null;
      steps.push({ ...next, place });
      const there = byPath.get(next.to);
      if (!there || steps.some((step) => step.place === there)) break;
      if (there.kind !== 'open') return null;
      next = goesOn(there.entry.open.session);
      if (next) continue;
      if (!isOverwritten(there.entry.open.session, steps.at(-1)?.session)) return null;
      holders.drop(there.entry, 'replaced', true);
    }
    return steps;
  }

  function onMoved(session: Session, to: string): boolean {
    const steps = stepsFrom(session, to)?.map((step) => ({ ...step, from: step.session.path }));
    if (!steps) return false;
    for (const { from } of steps) byPath.delete(from);
    for (const step of steps) {
      byPath.set(step.to, step.place);
      step.session.path = step.to;
    }
    for (const step of steps) {
      void step.session.setUnderway(null);
      observer?.moved(step.from, step.to, 'others');
      step.session.tell({ kind: 'renamed', path: step.to, byOthers: true });
      log.info('note followed', { from: step.from, to: step.to });
    }
    return true;
  }

  return {
    onMoved,
    followTo(path) {
      const file = vault.fileAt(path);
      const entry = places.all().find(({ open: { session } }) => file !== null && session.base.file === file);
      const from = entry?.open.session.path;
      if (!entry || from === undefined || vault.fileAt(from) === file) return false;
      return onMoved(entry.open.session, path);
    },
  };
}
