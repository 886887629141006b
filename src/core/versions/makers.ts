import type { Lifetime } from '../foundation';
import type { NotesObserver } from '../notes';
import type { Deadlines } from './deadlines';
import { followOpening } from './follow-opening';
import { seenAtRest } from './keep/moves-by-file';
import type { OpenVault } from './open-vault';
import { createRunEnds } from './run-ends';
import { newestText } from './store/note-list';
import type { Limits } from './store/thin';
import { createToolCalls, type ToolCalls } from './tool-calls';
import type { Versions, VersionsParts } from './versions';
import { createCallsUnderWay } from './watch/calls';
import { createDiskKeeper, type DiskKeeper } from './watch/disk';
import { followVault } from './watch/follow-vault';
import { writtenAt } from './watch/looks';
import { createSessionKeeper, type SessionKeeper } from './watch/sessions';

/** All that makes versions: open notes, notes on disk, tool calls. */
export interface Makers extends Pick<Versions, 'whileWriting'> {
  readonly observer: NotesObserver;
  readonly sessions: SessionKeeper;
  readonly disk: DiskKeeper;
  readonly toolCalls: ToolCalls;
}

/** Joined in one place, since each asks another whose change it is that is seen. */
export function createMakers(
  parts: VersionsParts,
  {
    life,
    open,
    deadlines,
    limits,
    isCreating,
    onChange,
  }: {
    life: Lifetime;
    open: OpenVault;
    deadlines: Deadlines;
    limits: () => Limits;
    /** A file is being made that is a version already. */
    isCreating: () => boolean;
    onChange: () => void;
  },
): Makers {
  const { vault, notes, settings, clock, log } = parts;
  const { current } = open;
  const calls = createCallsUnderWay({
    now: clock.now,
    writtenAt: (path) => writtenAt(vault.root(), path),
  });
  const sessions = createSessionKeeper({
    clock,
    log,
    queue: () => current()?.queue ?? null,
    interval: () => settings.get().versions.interval,
    runOf: (runId) =>
      parts
        .runs()
        .get()
        .find((run) => run.runId === runId),
    diskAuthors: (path) => [...calls.seenNow(path).by],
    files: vault,
    atRest: (record) => seenAtRest(record, newestText(record)?.object, vault),
  });
  life.add(sessions.close);
  const disk = createDiskKeeper({
    ...{ vault, clock, log, current },
    openNote: (path) => notes().opened(path),
    seenNow: calls.seenNow,
    largest: () => limits().size,
    tells: parts.tellsOfDisk,
  });
  life.add(disk.close);
  life.add(disk.trouble.onChange(onChange));
  const toolCalls = createToolCalls({ calls, disk, deadlines, isKept: () => current() !== null });

  followVault({
    ...{ vault, life, disk, current, now: clock.now, inTime: deadlines.inTime },
    isOpen: (path) => notes().opened(path) !== undefined,
    keepsOpen: sessions.flush,
    isCreating,
  });
  followOpening(parts, { life, open, sessions, disk, deadlines, limits, onChange });
  const runEnds = createRunEnds(parts.runs, sessions.runEnded);
  life.add(runEnds.stop);

  return {
    observer: {
      ...sessions.observer,
      changing(note, hand) {
        runEnds.begin();
        return sessions.observer.changing(note, hand);
      },
      moved(from, to, by, whileOff) {
        sessions.observer.moved(from, to, by, whileOff);
        // What stands there now was not looked at as long as the open note was thought to be there.
        if (by === 'others') disk.onDiskChange({ added: [], changed: [from], removed: [] });
      },
      deleted: (note, isDeleted) => sessions.deleted(note, isDeleted ? disk.deletedBy(note.path) : null),
      async closed(note, end) {
        await sessions.observer.closed(note, end);
        if (end === 'deleted') await disk.closedDeleted(note.path);
      },
    },
    sessions,
    disk,
    toolCalls,
    whileWriting: calls.whileWriting,
  };
}
