import type { VersionAuthor } from '../../../contract/versions';
import type { Clock } from '../../foundation';
import type { Vault } from '../../vault';
import { movedRecord } from '../keep/moves';
import { cameTo, type MovesWhileOff } from '../keep/moves-by-file';
import type { KeepQueue } from '../keep/queue';
import type { OpenNote } from './open-note';

/** An open note that another program moved. */
interface MoveTold {
  readonly from: string;
  readonly to: string;
  readonly open: OpenNote | undefined;
  readonly at: number;
  readonly by: VersionAuthor[];
}

/** Where open notes are moved to: their records go along. */
export interface SessionMoves {
  /** By another program, a moment ago. */
  movedNow(from: string, to: string): void;
  /** Also where its session is over or has kept nothing yet. */
  moved(from: string, to: string, by: 'others' | 'app' | null, whileOff?: boolean): void;
  /** What came to its place brings its own history. */
  replaced(path: string): void;
  /** Whatever was moved while the app was closed has been followed to where it is. Null: nothing was yet, in a vault just opened. */
  followed(moves: Pick<MovesWhileOff, 'from' | 'pushedOut'> | null): void;
}

export function createSessionMoves({
  clock,
  queue,
  diskAuthors,
  files,
  openAt,
}: {
  clock: Pick<Clock, 'now'>;
  /** Null: nothing is kept now. */
  queue: () => KeepQueue | null;
  diskAuthors: (path: string) => VersionAuthor[];
  files: Pick<Vault, 'fileAt'>;
  openAt: (path: string) => OpenNote | undefined;
}): SessionMoves {
  /** By its place, the note that stood there when the app died, where another was told first to have come there since. */
  let pushedOut = new Map<string, string>();
  /** The notes from there were followed by their files. */
  let followedFrom: ReadonlySet<string> = new Set();
  /** Told in one go, they may have taken each other's places: whose record is whose is known before any of them moves. */
  let toldTogether: MoveTold[] | null = null;

  return {
    movedNow(from, to) {
      const open = openAt(to);
      open?.moved();
      const move: MoveTold = { from, to, open, at: clock.now(), by: diskAuthors(to) };
      if (toldTogether) return void toldTogether.push(move);
      const batch = [move];
      toldTogether = batch;
      queueMicrotask(() => {
        toldTogether = null;
      });
      (open?.queue ?? queue())?.add((list) => {
        const records = batch.map((one) => {
          const { value: id } = one.open?.noteId ?? { value: null };
          return { ...one, record: (id && list.byId(id)) || list.at(one.from) || list.goneAt(one.from) };
        });
        return records.flatMap(({ record, to, at, by }) =>
          !record || record.path === to ? [] : [movedRecord(record, to, at, by)],
        );
      });
    },
    moved(from, to, by, whileOff = false) {
      const open = openAt(to);
      open?.moved();
      const at = clock.now();
      const authors = by === 'others' ? diskAuthors(to) : by === 'app' ? [{ kind: 'you' } as const] : [];
      (open?.queue ?? queue())?.add((list) => {
        if ((by === null && list.at(to)) || (whileOff && followedFrom.has(from))) return [];
        const own = open?.noteId.value ? list.byId(open.noteId.value) : undefined;
        const one = whileOff ? list.byId(pushedOut.get(from) ?? '') : undefined;
        const pushed = one?.isGone && one.path === from ? one : undefined;
        const record = own ?? pushed ?? list.at(from) ?? list.goneAt(from);
        if (!record || record.path === to) return [];
        // It may be on its way, too, and be told next.
        const there = list.at(to);
        if (whileOff && there) pushedOut.set(to, there.note);
        return [movedRecord(record, to, at, authors)];
      });
    },
    replaced(path) {
      const at = clock.now();
      const by = diskAuthors(path);
      queue()?.add((list) => {
        const record = cameTo(path, list, files);
        return record ? [movedRecord(record, path, at, by)] : [];
      });
    },
    followed(moves) {
      followedFrom = moves?.from ?? new Set();
      pushedOut = new Map(moves?.pushedOut);
    },
  };
}
