import type { OutputOf, ParsedInputOf } from '../../contract/define';
import { AppError } from '../../contract/errors';
import {
  GreetedVaults,
  mostDrafts,
  PanelSizes,
  readLayout,
  WindowDraft,
  type WindowState,
  type windowsOperations,
} from '../../contract/windows';
import { type Clock, type Database, orCancelled, within } from '../foundation';

type Operations = typeof windowsOperations;

/** What windows show and what is typed in them, for the next time that they are opened. */
export interface Windows {
  enter(input: ParsedInputOf<Operations['windows.enter']>, signal: AbortSignal): AsyncIterable<WindowState>;
  keep(input: ParsedInputOf<Operations['windows.keep']>): Promise<OutputOf<Operations['windows.keep']>>;
  takeUp(input: ParsedInputOf<Operations['windows.takeUp']>): OutputOf<Operations['windows.takeUp']>;
}

interface WindowRow {
  readonly id: string;
  /** When something of it was changed last. */
  readonly used: number;
  readonly layout: string;
  readonly panels: string;
  readonly greeted: string;
}

interface DraftRow {
  readonly window: string;
  readonly name: string;
  readonly at: number;
  readonly draft: string;
}

/** Of those that are not open. */
const mostWindows = 50;
/** How long the words of a window that is gone wait for somebody to open their form. */
const draftsKeptMs = 180 * 24 * 3_600_000;
/** How long an answer waits for the file. */
const writeTimeout = 2_000;

export function createWindows({
  database,
  clock,
}: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): Windows {
  const windows = database.table<WindowRow>(
    'create table if not exists windows (id text primary key, used real, layout text, panels text, greeted text)',
  );
  const drafts = database.table<DraftRow>(
    `create table if not exists window_drafts
      (window text, name text, at real, draft text, primary key (window, name))`,
  );
  /** By id: what stands for the page that entered last. */
  const open = new Map<string, object>();

  /** A new one of a page takes the place of that before: the connection that it lost may be known as lost only later. */
  function begin(id: string, signal: AbortSignal): void {
    const own = {};
    open.set(id, own);
    signal.addEventListener('abort', () => open.get(id) === own && open.delete(id), { once: true });
  }

  function tidy(): void {
    const oldest = clock.now() - draftsKeptMs;
    for (const draft of drafts.all())
      if (draft.at < oldest && !open.has(draft.window)) ignoreWait(drafts.remove(draft));
    for (const row of newest(() => true).slice(mostWindows)) ignoreWait(windows.remove(row));
  }

  const newest = (wanted: (row: WindowRow) => boolean) =>
    windows
      .all()
      .filter((row) => !open.has(row.id) && wanted(row))
      .sort((a, b) => b.used - a.used);

  /** The row that a window begins with which is not known. */
  function start(id: string, copyOf: string | null, alive: readonly string[]): WindowRow {
    const used = clock.now();
    const copied = copyOf === null ? undefined : windows.get({ id: copyOf });
    if (copied) return { ...copied, id, used };
    const [gone] = newest((row) => row.id !== id && !alive.includes(row.id));
    if (gone) {
      ignoreWait(windows.remove(gone));
      return { ...gone, id, used };
    }
    const [last] = windows.all().sort((a, b) => b.used - a.used);
    if (!last) return { id, used, layout: 'null', panels: '{}', greeted: '[]' };
    const layout = readLayout(parsed(last.layout));
    return {
      ...last,
      id,
      used,
      layout: JSON.stringify({ ...layout, tabs: [], activeTab: null, looked: [] }),
    };
  }

  function stateOf(row: WindowRow): WindowState {
    const panels = PanelSizes.safeParse(parsed(row.panels));
    const greeted = GreetedVaults.safeParse(parsed(row.greeted));
    return {
      layout: readLayout(parsed(row.layout)),
      panels: panels.success ? panels.data : {},
      greeted: greeted.success ? greeted.data : [],
      drafts: Object.fromEntries(
        drafts.all({ window: row.id }).flatMap((draft) => {
          const read = readDraft(draft);
          return read ? [[draft.name, read] as const] : [];
        }),
      ),
    };
  }

  async function* enter(
    { id, copyOf, isBack, alive }: ParsedInputOf<Operations['windows.enter']>,
    signal: AbortSignal,
  ): AsyncGenerator<WindowState> {
    begin(id, signal);
    let row = windows.get({ id });
    if (!row) {
      // Whoever is back hands over what it has: it begins with nothing of others.
      row = isBack
        ? { id, used: clock.now(), layout: 'null', panels: '{}', greeted: '[]' }
        : start(id, copyOf, alive);
      ignoreWait(windows.put(row));
      tidy();
    }
    yield stateOf(row);
    await orCancelled(new Promise<never>(() => undefined), signal).catch(() => undefined);
  }

  function keepDraft(window: string, name: string, given: WindowDraft | null): Promise<unknown> | null {
    const before = drafts.get({ window, name });
    if (given === null) return before ? drafts.remove(before) : null;
    // What waited in a page for its window that is gone may be older than what that had handed over itself.
    if (before && !open.has(window) && before.at > given.at) return null;
    if (!before && drafts.all({ window }).length >= mostDrafts) {
      const issues = [`drafts: a window keeps ${mostDrafts} at most`];
      throw new AppError('request.invalid', 'There are too many drafts.', { issues });
    }
    return drafts.put({
      window,
      name,
      at: Math.min(given.at, clock.now()),
      draft: JSON.stringify(given.draft),
    });
  }

  function keepParts({ id, layout, panels, greeted }: ParsedInputOf<Operations['windows.keep']>) {
    const row = windows.get({ id });
    // Another one went on from it.
    if (!row || (!layout && !panels && !greeted)) return null;
    return windows.put({
      id,
      used: clock.now(),
      layout: layout ? JSON.stringify(layout) : row.layout,
      panels: panels ? JSON.stringify(panels) : row.panels,
      greeted: greeted ? JSON.stringify(greeted) : row.greeted,
    });
  }

  tidy();
  return {
    enter,
    async keep(input) {
      const writes = [keepParts(input)];
      for (const [name, draft] of Object.entries(input.drafts ?? {}))
        writes.push(keepDraft(input.id, name, draft));
      const written = Promise.all(writes).then(
        () => true,
        () => false,
      );
      const isOver = await within(written, writeTimeout);
      return { written: isOver && (await written) && database.isStored() };
    },
    takeUp({ id, alive, names, starts }) {
      const isWanted = ({ name }: DraftRow) =>
        names.includes(name) || starts.some((start) => name.startsWith(start));
      const isLeft = ({ window }: DraftRow) => window !== id && !open.has(window) && !alive.includes(window);
      const left = drafts
        .all()
        .filter((draft) => isLeft(draft) && isWanted(draft) && readDraft(draft))
        .sort((a, b) => b.at - a.at);
      const taken = new Map<string, DraftRow>();
      for (const row of left) {
        const mine = taken.get(row.name);
        if (mine === undefined && !drafts.get({ window: id, name: row.name })) {
          ignoreWait(drafts.put({ ...row, window: id }));
          taken.set(row.name, row);
        } else if (mine?.draft !== row.draft) continue;
        ignoreWait(drafts.remove(row));
      }
      return [...taken.values()].flatMap((row) => {
        const read = readDraft(row);
        return read ? [{ ...read, name: row.name, from: row.window }] : [];
      });
    },
  };
}

/** Whoever reads it sees it at once; what the file lacks at the end is in the log. */
function ignoreWait(written: Promise<unknown>): void {
  written.catch(() => undefined);
}

function readDraft({ at, draft }: DraftRow): WindowDraft | null {
  const read = WindowDraft.safeParse({ at, draft: parsed(draft) });
  return read.success ? read.data : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
