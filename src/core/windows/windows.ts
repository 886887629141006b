import type { OutputOf, ParsedInputOf } from '../../contract/define';
import {
  GreetedVaults,
  PanelSizes,
  readLayout,
  type WindowState,
  type windowsOperations,
} from '../../contract/windows';
import { type Clock, type Database, orCancelled, within } from '../foundation';
import { createDrafts } from './drafts';
import { ignoreWait, parsed } from './rows';

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

/** Of those that are not open. */
const mostWindows = 50;
/** How long an answer waits for the file. */
const writeTimeout = 2_000;

/** One closure, since which window is open decides what of the others may be gone on from. */
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
  /** By id: what stands for the page that entered last. */
  const open = new Map<string, object>();
  const drafts = createDrafts(database, clock, (window) => open.has(window));

  /** A new one of a page takes the place of that before: the connection that it lost may be known as lost only later. */
  function begin(id: string, signal: AbortSignal): void {
    const own = {};
    open.set(id, own);
    signal.addEventListener('abort', () => open.get(id) === own && open.delete(id), { once: true });
  }

  function tidy(): void {
    drafts.tidy();
    for (const row of newest(() => true).slice(mostWindows)) ignoreWait(windows.remove(row));
  }

  const newest = (which: (row: WindowRow) => boolean) =>
    windows
      .all()
      .filter((row) => !open.has(row.id) && which(row))
      .sort((a, b) => b.used - a.used);

  /** The row that a window begins with which is not known. */
  function start(id: string, copyOf: string | null, alive: readonly string[]): WindowRow {
    const used = clock.now();
    const copied = copyOf === null ? undefined : windows.get({ id: copyOf });
    if (copied) return { ...copied, id, used };
    const [former] = newest((row) => row.id !== id && !alive.includes(row.id));
    if (former) {
      ignoreWait(windows.remove(former));
      return { ...former, id, used };
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
      drafts: drafts.of(row.id),
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
        writes.push(drafts.keep(input.id, name, draft));
      const writing = Promise.all(writes).then(
        () => true,
        () => false,
      );
      const isOver = await within(writing, writeTimeout);
      return { written: isOver && (await writing) && database.isStored() };
    },
    takeUp: drafts.takeUp,
  };
}
