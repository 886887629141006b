import { randomBytes } from 'node:crypto';
import { AppError } from '../../contract/errors';
import { type Clock, createLifetime, type Log } from '../foundation';
import type { Vault } from '../vault';
import type { Notes } from './door';
import { follow } from './follow';
import { claimJournalFolder } from './journal-folder';
import { type OpenNote, openNote, reopenNote } from './open-note';
import { readJournals } from './recover';

export interface NotesParts {
  readonly vault: Vault;
  /** Absolute; journals go to a folder of this process in it. */
  readonly dataFolder: string;
  readonly log: Log;
  readonly clock: Clock;
}

interface Held {
  readonly open: OpenNote;
  holders: number;
  cancelLinger: () => void;
}

/** A window that reloads or loses its wire finds its session again. */
const lingerMs = 60_000;

/** One spelling for one note: two sessions of one file would work against each other. */
const clean = (path: string) =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');

export function createNotes({ vault, dataFolder, log, clock }: NotesParts): Notes {
  const journals = claimJournalFolder(dataFolder);
  const journalFolder = journals.path;
  const parts = { vault, journalFolder, log, clock };
  const lifetime = createLifetime();
  lifetime.add(journals.release);
  const notes = new Map<string, Promise<Held>>();
  /** Those whose promise has been kept. */
  const ready = new Map<string, Held>();

  function keep(path: string, opening: Promise<OpenNote>): Promise<Held> {
    const held = opening.then((open) => {
      const entry = { open, holders: 0, cancelLinger: () => undefined };
      ready.set(path, entry);
      return entry;
    });
    notes.set(path, held);
    held.catch(() => notes.delete(path));
    return held;
  }

  async function end(held: Held): Promise<void> {
    held.cancelLinger();
    await held.open.close();
    const { path } = held.open.session;
    if (ready.get(path) === held) {
      ready.delete(path);
      notes.delete(path);
    }
  }

  function linger(held: Held): void {
    held.cancelLinger();
    if (held.holders > 0) return;
    held.cancelLinger = clock.after(lingerMs, () => {
      // What is not on disk yet goes on being tried.
      if (held.open.session.isDirty()) linger(held);
      else void end(held).catch((error: unknown) => log.error('session not closed', { error }));
    });
  }

  async function hold(givenPath: string): Promise<{ held: Held; release(): void }> {
    const path = clean(givenPath);
    const held = await (notes.get(path) ?? keep(path, openNote(parts, path)));
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

  function under(path: string): Held[] {
    return [...ready].filter(([at]) => at === path || at.startsWith(`${path}/`)).map(([, held]) => held);
  }

  function look(held: Held | undefined): void {
    if (held) void held.open.saver.look();
  }

  function rename(from: string, to: string): void {
    for (const held of under(from)) {
      const { session } = held.open;
      const path = to + session.path.slice(from.length);
      notes.delete(session.path);
      ready.delete(session.path);
      session.path = path;
      notes.set(path, Promise.resolve(held));
      ready.set(path, held);
      if (session.journal.state !== 'none') session.renewJournal();
      session.tell({ kind: 'renamed', path });
    }
  }

  lifetime.add(
    vault.onDiskChange(({ changed, removed }) => {
      for (const path of changed) look(ready.get(path));
      for (const path of removed) look(ready.get(path));
    }),
  );
  lifetime.add(
    vault.onOwnChange((change) => {
      switch (change.kind) {
        case 'written': {
          const held = ready.get(change.path);
          if (held && held.open.saver.writing !== change.version) look(held);
          break;
        }
        case 'renamed':
          rename(change.from, change.to);
          break;
        case 'trashed':
          for (const held of under(change.path)) look(held);
      }
    }),
  );
  let wasLost = false;
  lifetime.add(
    vault.state.onChange(({ kind }) => {
      if (kind === 'open' && wasLost) for (const held of ready.values()) look(held);
      wasLost = kind === 'lost';
    }),
  );

  async function leaveVault(): Promise<void> {
    const open = await Promise.allSettled(notes.values());
    await Promise.all(open.map((held) => (held.status === 'fulfilled' ? end(held.value) : undefined)));
  }

  return {
    async hold(path) {
      const { held, release } = await hold(path);
      return { session: held.open.face, release };
    },
    opened: (path) => ready.get(clean(path))?.open.face,
    async *follow(path, seen, signal) {
      const { held, release } = await hold(path);
      try {
        yield* follow(held.open.session, seen, clock, held.open.ended, signal);
      } finally {
        release();
      }
    },
    async push(path, sessionId, version, updates) {
      const session = ready.get(clean(path))?.open.session;
      if (session?.sessionId !== sessionId)
        throw new AppError('note.session-gone', `“${path}” is not open in this session any more.`, { path });
      return session.push(version, updates);
    },
    save: async (path) => {
      const held = await notes.get(clean(path));
      return held ? held.open.saver.save({ force: true }) : { kind: 'saved', at: clock.now() };
    },
    async revert(path, clientId) {
      const { held, release } = await hold(path);
      try {
        const { session } = held.open;
        const hand = `revert-${randomBytes(8).toString('hex')}`;
        const changes = session.note.takeBack(clientId);
        if (changes) session.write(hand, [changes], 'now');
        return { clientId: hand };
      } finally {
        release();
      }
    },
    async recover() {
      const recovered = readJournals(journalFolder, vault.root(), log);
      const held = await Promise.all(
        recovered.map((journal) => keep(journal.header.path, reopenNote(parts, journal))),
      );
      for (const one of held) linger(one);
      const paths = recovered.map(({ header }) => header.path);
      if (paths.length > 0) log.info('notes recovered', { paths });
      return paths;
    },
    leaveVault,
    async close() {
      await leaveVault();
      await lifetime.close();
    },
  };
}
