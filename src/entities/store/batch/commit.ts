import type { RootFolder } from '../../../files';
import { hashOf } from '../../base/hash';
import type { Records } from '../records/own-records';
import { recordBatches, recordName } from './batch-record';
import { ChangedMeanwhile } from './changed-meanwhile';
import type { Document } from './document';
import type { Change, Draft } from './draft';
import type { Journal } from './journal';
import { createJournalFile } from './journal-file';
import type { Move } from './links';
import { syncFoldersOf } from './sync-folders';
import { checkMark, createTargetWriter, markOf, type Target } from './target';
import { createUndo } from './undo';

export interface Commit {
  /** Writes what was drafted; after an error or a crash nothing of it stays. The caller holds the vault's lock. */
  apply(draft: Draft): Promise<void>;
  isPending(): boolean;
  recover(): Promise<void>;
  /** A journal that can't be used, where there is one. The caller holds the vault's lock. */
  setAside(): Promise<void>;
}

export function createCommit(parts: {
  readonly home: RootFolder;
  readonly records: Records;
  readonly locate: (path: string) => Promise<string>;
  readonly find: (path: string) => Promise<Document | null>;
  /** In the same tick as a file came to be another one, or went. */
  readonly onWritten: (path: string) => void;
}): Commit {
  const { home, records, locate, find, onWritten } = parts;
  const journalFile = createJournalFile(records);
  const write = createTargetWriter({ home, locate, onWritten });
  const undo = createUndo({ home, records, journalFile, locate, find, onWritten });

  async function apply(draft: Draft): Promise<void> {
    const drafted = draft.changes();
    const froms = sourcesOf(drafted, draft.moves());
    const formerPaths = new Set(froms.values());
    // New texts before removals: what one note hands on to another is never nowhere.
    const changes = [...drafted].sort((a, b) => Number(a.after === null) - Number(b.after === null));
    const lines = draft.recorded();
    if (changes.length === 0 && lines.length === 0) return;
    // All that may have to be waited for comes before the first byte is written.
    const targets = new Map<string, Target>();
    for (const change of changes) {
      const place = await locate(change.path);
      targets.set(change.path, { change, place, mark: change.before ? markOf(place) : '' });
      await unchanged(change);
    }
    const written = new Set<string>();
    const writeAll = async () => {
      for (const target of targets.values()) if (target.change.before) checkMark(target);
      for (const [path, target] of targets) {
        if (!formerPaths.has(path)) await write(target, targets.get(froms.get(path) ?? ''), written);
      }
      const removed = [...targets.values()].filter(({ change }) => change.after === null);
      await syncFoldersOf(removed.map(({ place }) => place));
      await recordBatches(records, lines);
    };
    if (changes.length + lines.length === 1) return writeAll();
    const journal = journalOf(changes, froms, records.size(recordName));
    await journalFile.begin(journal);
    try {
      await writeAll();
    } catch (error) {
      await undo({ ...journal, files: journal.files.filter(({ path }) => written.has(path)) });
      throw error;
    }
    await journalFile.end();
  }

  /** Another program may have written while the change was made. */
  async function unchanged({ path, before }: Change): Promise<void> {
    if ((await find(path))?.hash !== before?.hash) throw new ChangedMeanwhile(path, before?.text);
  }

  async function recover(): Promise<void> {
    if (!journalFile.isPending()) return;
    const journal = await journalFile.read();
    if (journal) return undo(journal);
    // Nothing of it is undone: a note may be the only copy of what was lost in the journal.
    await journalFile.setAside();
  }

  return { apply, recover, setAside: journalFile.setUnusableAside, isPending: journalFile.isPending };
}

function journalOf(
  changes: readonly Change[],
  froms: ReadonlyMap<string, string>,
  recordLength: number,
): Journal {
  return {
    record_length: recordLength,
    files: changes.map(({ path, before, after }) => ({
      path,
      before: before?.text ?? null,
      after: after === null ? null : hashOf(after),
      text: after,
      moved_from: froms.get(path),
    })),
  };
}

/** For each new place the one that goes for it. */
function sourcesOf(changes: readonly Change[], moves: readonly Move[]): ReadonlyMap<string, string> {
  const newPlaces = new Set(
    changes.filter(({ before, after }) => !before && after !== null).map(({ path }) => path),
  );
  const sources = new Map<string, string>();
  for (const { path, after } of changes) {
    if (after !== null) continue;
    const to = moves.reduce((at, move) => (move.from === at ? move.to : at), path);
    if (newPlaces.has(to)) sources.set(to, path);
  }
  return sources;
}
