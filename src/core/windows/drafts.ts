import type { OutputOf, ParsedInputOf } from '../../contract/define';
import { AppError } from '../../contract/errors';
import { mostDrafts, WindowDraft, type WindowState, type windowsOperations } from '../../contract/windows';
import type { Clock, Database } from '../foundation';
import { ignoreWait, parsed } from './rows';

type Operations = typeof windowsOperations;

/** What is typed in windows. */
export interface Drafts {
  of(window: string): WindowState['drafts'];
  /** Null: nothing is to be written. `draft` null: it is over. */
  keep(window: string, name: string, draft: WindowDraft | null): Promise<unknown> | null;
  takeUp(input: ParsedInputOf<Operations['windows.takeUp']>): OutputOf<Operations['windows.takeUp']>;
  /** Removes those of windows that are gone for long. */
  tidy(): void;
}

interface DraftRow {
  readonly window: string;
  readonly name: string;
  readonly at: number;
  readonly draft: string;
}

/** How long the words of a window that is gone wait for somebody to open their form. */
const draftsKeptMs = 180 * 24 * 3_600_000;

/** `isOpen`: a page of this window is there. */
export function createDrafts(
  database: Database,
  clock: Pick<Clock, 'now'>,
  isOpen: (window: string) => boolean,
): Drafts {
  const drafts = database.table<DraftRow>(
    `create table if not exists window_drafts
      (window text, name text, at real, draft text, primary key (window, name))`,
  );

  return {
    of: (window) =>
      Object.fromEntries(
        drafts.all({ window }).flatMap((row) => {
          const draft = readDraft(row);
          return draft ? [[row.name, draft] as const] : [];
        }),
      ),
    keep(window, name, draft) {
      const before = drafts.get({ window, name });
      if (draft === null) return before ? drafts.remove(before) : null;
      // What waited in a page for its window that is gone may be older than what that had handed over itself.
      if (before && !isOpen(window) && before.at > draft.at) return null;
      if (!before && drafts.all({ window }).length >= mostDrafts) {
        const issues = [`drafts: a window keeps ${mostDrafts} at most`];
        throw new AppError('request.invalid', 'There are too many drafts.', { issues });
      }
      return drafts.put({
        window,
        name,
        at: Math.min(draft.at, clock.now()),
        draft: JSON.stringify(draft.draft),
      });
    },
    takeUp({ id, alive, names, starts }) {
      const isWanted = ({ name }: DraftRow) =>
        names.includes(name) || starts.some((start) => name.startsWith(start));
      const isGone = ({ window }: DraftRow) => window !== id && !isOpen(window) && !alive.includes(window);
      const rows = drafts
        .all()
        .filter((draft) => isGone(draft) && isWanted(draft) && readDraft(draft))
        .sort((a, b) => b.at - a.at);
      const moved = new Map<string, DraftRow>();
      for (const row of rows) {
        const mine = moved.get(row.name);
        if (mine === undefined && !drafts.get({ window: id, name: row.name })) {
          ignoreWait(drafts.put({ ...row, window: id }));
          moved.set(row.name, row);
        } else if (mine?.draft !== row.draft) continue;
        ignoreWait(drafts.remove(row));
      }
      return [...moved.values()].flatMap((row) => {
        const draft = readDraft(row);
        return draft ? [{ ...draft, name: row.name, from: row.window }] : [];
      });
    },
    tidy() {
      const oldest = clock.now() - draftsKeptMs;
      for (const row of drafts.all())
        if (row.at < oldest && !isOpen(row.window)) ignoreWait(drafts.remove(row));
    },
  };
}

function readDraft({ at, draft }: DraftRow): WindowDraft | null {
  const result = WindowDraft.safeParse({ at, draft: parsed(draft) });
  return result.success ? result.data : null;
}
