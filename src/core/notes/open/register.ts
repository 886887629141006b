import type { RecoveryReason } from '../../../contract/recovery';
import { type Clock, type createLifetime, type Log, within } from '../../foundation';
import type { PlannedChange, Vault } from '../../vault';
import type { Recovered } from '../journal/journals';
import type { Session } from '../session/session';
import { type KeepText, type OpenNote, type OpenNoteParts, openNote, reopenNote } from './open-note';

/** An open note with those who hold it. */
export interface Held {
  readonly open: OpenNote;
  holders: number;
  cancelLinger: () => void;
}

/** What stands at a path. Nothing is there for a note that is not open, or is gone. */
type Place =
  | { readonly kind: 'opening'; readonly opening: Promise<Held>; readonly onChange: () => void }
  | { readonly kind: 'open'; readonly held: Held }
  | { readonly kind: 'closing'; readonly held: Held; readonly closed: Promise<void> };

/** Which session stands for which note, from opening to gone: one session a note, and never one of a note that is no more. */
export interface Register {
  /** Joins the session that `sessionId` means if it is open, wherever its note is by now, else that of `path`. */
  hold(path: string, sessionId: string | null): Promise<{ held: Held; release(): void }>;
  at(path: string): Held | undefined;
  /** Those that are open. */
  all(): readonly Held[];
  bySession(sessionId: string): Held | undefined;
  /** Its note is no more, or is another's by now. */
  isGone(sessionId: string): boolean;
  /** Resolves when what is being opened or closed at `path` is. */
  settled(path: string): Promise<Held | undefined>;
  /** Takes up the session of an app that died; false where its note is not there any more. */
  reopen(path: string, journal: Recovered): Promise<boolean>;
  close(held: Held): Promise<void>;
  closeAll(): Promise<void>;
}

/** A window that reloads or loses its wire finds its session again. */
const lingerMs = 60_000;
/** The same where its note is deleted: what is in it alone is to be found soon. Programs that save by deleting are done by then. */
const lingerDeletedMs = 5_000;
/** One note is not to hold up the start of all. */
const longestReopenMs = 1_500;
/** A window that comes back after so many others are gone is told by its text. */
const mostKnown = 1_000;

/** One spelling for one note: two sessions of one file would work against each other. */
export const cleanPath = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

const isUnder = (path: string, folder: string) =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

export function createRegister({
  parts,
  keep,
  lifetime,
  takeUpLate,
}: {
  parts: Omit<OpenNoteParts, 'onReplaced' | 'onMoved'> & {
    readonly vault: Vault;
    readonly clock: Clock;
    readonly log: Log;
  };
  /** Takes unsaved text of a note that is no more, and why it is. */
  keep: (path: string, text: string, reason: RecoveryReason, file: string | null) => boolean;
  lifetime: ReturnType<typeof createLifetime>;
  /** Before a note is opened: what an app that died had of it and could not be read when it was looked for. */
  takeUpLate: () => Promise<void>;
}): Register {
  const { vault, clock, log } = parts;
  const places = new Map<string, Place>();
  const gone = new Set<string>();
  /** Renames and removals under way: who wants a note there waits until it is known where it is. */
  const moves = new Set<{ readonly paths: readonly string[]; readonly done: Promise<void> }>();

  const keepFor =
    (reason: RecoveryReason): KeepText =>
    (path, text, file) =>
      keep(path, text, reason, file);
  const onReplaced = (session: Session) => {
    const entry = bySession(session.sessionId);
    if (entry) drop(entry, keepFor('replaced'), true);
  };

  /** As after a rename by the app, only that it has happened already. Where another open note was until then, that one goes on, too. */
  function onMoved(session: Session, to: string): boolean {
    const steps: { readonly session: Session; readonly place: Place; readonly to: string }[] = [];
    for (let next: { session: Session; to: string } | null = { session, to }; next; ) {
      const { path } = next.session;
      const place = places.get(path);
      // One that was dropped while it was looked for may be known to be elsewhere only when another has its place.
      const isIts = place && (place.kind === 'opening' || place.held.open.session === next.session);
      if (next.session.life === 'gone' || !isIts || isMoving(path) || isMoving(next.to)) return false;
      steps.push({ ...next, place });
      const there = places.get(next.to);
      if (!there || steps.some((step) => step.place === there)) break;
      if (there.kind !== 'open') return false;
      next = goesOn(there.held.open.session);
      if (next) continue;
      if (!isOverwritten(there.held.open.session, steps.at(-1)?.session)) return false;
      drop(there.held, keepFor('replaced'), true);
    }
    const followed = steps.map((step) => ({ ...step, from: step.session.path }));
    for (const { from } of followed) places.delete(from);
    for (const step of followed) {
      places.set(step.to, step.place);
      step.session.path = step.to;
    }
    for (const step of followed) {
      void step.session.setUnderway(null);
      parts.observer?.moved(step.from, step.to, 'others');
      step.session.tell({ kind: 'renamed', path: step.to, byOthers: true });
      log.info('note followed', { from: step.from, to: step.to });
    }
    return true;
  }

  const isMoving = (path: string) =>
    [...moves].some(({ paths }) => paths.some((moved) => isUnder(path, moved)));

  /** Where the file of an open note is, if that is elsewhere. */
  function goesOn(session: Session): { session: Session; to: string } | null {
    const { file } = session.base;
    const to = file === null ? null : vault.whereIs(file);
    return to === null || to === session.path || vault.fileAt(session.path) === file ? null : { session, to };
  }

  /** Whether the note there is an open one that another program moved: that goes on there, before anybody opens it anew. */
  function followTo(path: string): boolean {
    const file = vault.fileAt(path);
    const entry = openOnes().find(({ open: { session } }) => file !== null && session.base.file === file);
    const from = entry?.open.session.path;
    if (!entry || from === undefined || vault.fileAt(from) === file) return false;
    return onMoved(entry.open.session, path);
  }

  /** Its own file is nowhere any more, and that of the other one has its place. */
  function isOverwritten({ path, base }: Session, by: Session | undefined): boolean {
    const file = vault.fileAt(path);
    if (file === null || file !== by?.base.file) return false;
    return file !== base.file && (base.file === null || vault.whereIs(base.file) === null);
  }

  const openOnes = () => [...places.values()].flatMap((place) => (place.kind === 'open' ? [place.held] : []));
  const at = (path: string) => {
    const place = places.get(path);
    return place?.kind === 'open' ? place.held : undefined;
  };
  const bySession = (sessionId: string) =>
    openOnes().find(({ open }) => open.session.sessionId === sessionId);

  const isDeleted = ({ open }: Held) => open.session.save.get().kind === 'deleted';

  function put(open: OpenNote): Held {
    const entry: Held = { open, holders: 0, cancelLinger: () => undefined };
    places.set(open.session.path, { kind: 'open', held: entry });
    let wasDeleted = isDeleted(entry);
    open.session.save.onChange(() => {
      if (wasDeleted === isDeleted(entry)) return;
      wasDeleted = isDeleted(entry);
      linger(entry);
    });
    return entry;
  }

  function begin(path: string): Promise<Held> {
    let changed = false;
    const opening = openNote({ ...parts, onReplaced, onMoved }, path).then(
      (open) => {
        const entry = put(open);
        if (changed) void open.saver.look();
        return entry;
      },
      (error: unknown) => {
        places.delete(path);
        throw error;
      },
    );
    const onChange = () => {
      changed = true;
    };
    places.set(path, { kind: 'opening', opening, onChange });
    return opening;
  }

  async function take(path: string): Promise<Held> {
    await takeUpLate();
    for (;;) {
      const move = [...moves].find(({ paths }) => paths.some((moved) => isUnder(path, moved)));
      const place = places.get(path);
      if (move) await move.done;
      else if (place?.kind === 'open') return place.held;
      else if (place?.kind === 'closing') await place.closed;
      else if (place?.kind === 'opening') await place.opening;
      else if (!followTo(path)) await begin(path);
    }
  }

  function linger(entry: Held): void {
    entry.cancelLinger();
    const { session } = entry.open;
    if (entry.holders > 0 || session.life !== 'open') return;
    if (isDeleted(entry)) {
      entry.cancelLinger = clock.after(lingerDeletedMs, () => void endDeleted(entry));
      return;
    }
    entry.cancelLinger = clock.after(lingerMs, () => {
      // What is not on disk yet goes on being tried.
      if (session.isDirty()) linger(entry);
      else void close(entry).catch((error: unknown) => log.error('session not closed', { error }));
    });
  }

  /** What was not saved is kept apart, unless the note is back, or its vault is not in reach. */
  async function endDeleted(entry: Held): Promise<void> {
    const { session, saver } = entry.open;
    await saver.look();
    if (entry.holders > 0 || session.life !== 'open') return;
    if (isDeleted(entry) && vault.state.get().kind === 'open') drop(entry, keepFor('deleted'));
    else linger(entry);
  }

  function join(held: Held): { held: Held; release(): void } {
    held.cancelLinger();
    held.holders++;
    let released = false;
    return {
      held,
      release() {
        if (released) return;
        released = true;
        held.holders--;
        if (held.holders === 0) void held.open.saver.save();
        linger(held);
      },
    };
  }

  function leavePlace(entry: Held): void {
    entry.cancelLinger();
    const { path } = entry.open.session;
    if (at(path) === entry) places.delete(path);
  }

  function close(entry: Held): Promise<void> {
    const { path } = entry.open.session;
    leavePlace(entry);
    const place: Place = {
      kind: 'closing',
      held: entry,
      closed: entry.open.close().finally(() => {
        // It may have been moved meanwhile.
        for (const [at, other] of places) if (other === place) places.delete(at);
      }),
    };
    places.set(path, place);
    return place.closed;
  }

  function drop(entry: Held, keepText: KeepText, isReplaced = false): void {
    leavePlace(entry);
    gone.add(entry.open.session.sessionId);
    for (const oldest of gone) if (gone.size > mostKnown) gone.delete(oldest);
    entry.open.drop(keepText, isReplaced);
  }

  /** All of them at rest: nothing is opening or closing in the folder any more. */
  async function restUnder(folder: string): Promise<void> {
    for (;;) {
      const busy = [...places].flatMap(([path, place]) => {
        if (place.kind === 'open' || !isUnder(path, folder)) return [];
        return [place.kind === 'opening' ? place.opening : place.closed];
      });
      if (busy.length === 0) return;
      await Promise.allSettled(busy);
    }
  }

  async function beforeMove(planned: PlannedChange): Promise<(done: boolean) => void> {
    const from = planned.kind === 'rename' ? planned.from : planned.path;
    const to = planned.kind === 'rename' ? planned.to : planned.path;
    const paths = [from, to];
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = [...moves].filter((move) =>
      move.paths.some((a) => paths.some((b) => isUnder(a, b) || isUnder(b, a))),
    );
    const move = { paths, done: promise };
    moves.add(move);
    await Promise.all(earlier.map(({ done }) => done));
    await restUnder(from);
    await restUnder(to);
    const moved = openOnes().filter(({ open }) => isUnder(open.session.path, from));
    const ends = await Promise.all(
      moved.map((entry) => (planned.kind === 'rename' ? beforeRename(entry, planned) : beforeTrash(entry))),
    );
    return (done) => {
      const overwritten = openOnes().filter((entry) => isUnder(entry.open.session.path, to));
      for (const entry of overwritten) if (done && !moved.includes(entry)) drop(entry, keepFor('replaced'));
      for (const end of ends) end(done);
      moves.delete(move);
      resolve();
    };
  }

  async function beforeRename(
    entry: Held,
    { from, to }: { from: string; to: string },
  ): Promise<(done: boolean) => void> {
    const { session, saver } = entry.open;
    const proceed = await saver.pause();
    const path = to + session.path.slice(from.length);
    await session.setUnderway({ kind: 'rename', to: path });
    return (done) => {
      const isStill = done && session.life !== 'gone';
      if (isStill) {
        leavePlace(entry);
        session.path = path;
        places.set(path, { kind: 'open', held: entry });
        linger(entry);
      }
      void session.setUnderway(null);
      if (isStill) session.tell({ kind: 'renamed', path, byOthers: false });
      proceed();
    };
  }

  /** What was acknowledged goes to the trash with the note. */
  async function beforeTrash(entry: Held): Promise<(done: boolean) => void> {
    const { session, saver } = entry.open;
    session.life = 'closing';
    await saver.save();
    const proceed = await saver.pause();
    if (session.isDirty()) await session.setUnderway({ kind: 'trash' });
    return (done) => {
      if (done) drop(entry, keepFor('trashed'));
      else if (session.life !== 'gone') {
        session.life = 'open';
        void session.setUnderway(null);
        linger(entry);
      }
      proceed();
    };
  }

  function look(path: string): void {
    const place = places.get(path);
    if (place?.kind === 'open') void place.held.open.review();
    if (place?.kind === 'opening') place.onChange();
  }

  lifetime.add(vault.beforeOwnChange(beforeMove));
  lifetime.add(
    vault.onDiskChange(({ changed, removed }) => {
      for (const path of [...changed, ...removed]) look(path);
      // What is gone may have come back at another place.
      for (const { open } of openOnes())
        if (open.session.save.get().kind === 'deleted') void open.saver.look();
    }),
  );
  lifetime.add(
    vault.onOwnChange((change) => {
      const isWritten = change.kind === 'written' || change.kind === 'linked';
      if (isWritten && at(change.path)?.open.saver.writing !== change.version) look(change.path);
      // A new note of an old name is a new note.
      const old = change.kind === 'created' ? at(change.path) : undefined;
      if (old) drop(old, keepFor('replaced'));
    }),
  );
  lifetime.add(
    vault.onLateWrite(({ path, file, bytes }) => {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      if (!openOnes().some(({ open }) => open.saver.takeLate(file, text))) keep(path, text, 'unknown', file);
    }),
  );
  lifetime.add(
    vault.state.onChange(({ kind }) => {
      // Another folder is about to have these paths.
      if (kind === 'none') for (const entry of openOnes()) drop(entry, () => false);
      // It is back, or its disk can be written again.
      if (kind === 'open') for (const { open } of openOnes()) void open.review();
    }),
  );

  return {
    async hold(path, sessionId) {
      const former = sessionId === null ? undefined : bySession(sessionId);
      return join(former?.open.session.life === 'open' ? former : await take(cleanPath(path)));
    },
    at,
    all: openOnes,
    bySession,
    isGone: (sessionId) => gone.has(sessionId),
    async settled(path) {
      const place = places.get(path);
      if (place?.kind === 'closing') await place.closed;
      if (place?.kind === 'opening') await place.opening.catch(() => undefined);
      return at(path);
    },
    async reopen(path, journal) {
      const open = await reopenNote({ ...parts, onReplaced, onMoved }, path, journal);
      if (!open) return false;
      // First it is known to be open: what it saves is no change by somebody else.
      linger(put(open));
      // Where another program goes on writing it, it is saved later, as any open note.
      await within(
        open.saver.look().then(() => open.saver.save()),
        longestReopenMs,
      );
      return true;
    },
    close,
    async closeAll() {
      while (places.size > 0) {
        await restUnder('').catch(() => undefined);
        await Promise.all(openOnes().map(close));
      }
    },
  };
}
