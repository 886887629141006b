import { constants, statSync } from 'node:fs';
import { readlink, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { durableWrite, makeSharedFolder, openFile, readFileAt, safePath } from '../../files';
import { mergeTexts } from '../entities/merge-text';
import { ToolFailure } from '../failures';
import type { Document } from './document';
import type { Change, Draft } from './draft';
import { hashOf } from './hash';

export const recordName = 'vault-batches.jsonl';
const recordFile = `.interlinear/${recordName}`;
export const leftName = 'vault-undone.txt';
const leftFile = `.interlinear/${leftName}`;
const journalFile = '.interlinear/vault-journal.json';

const largestJournal = 1024 * 1024 * 1024;
const toAppend = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** What the files held, so that a change that was cut off can be undone. */
const Journal = z.object({
  record_length: z.number(),
  files: z.array(
    z.object({
      path: z.string(),
      before: z.string().nullable(),
      /** A hash. */
      after: z.string().nullable(),
      /** What it is the hash of. */
      text: z.string().nullable().optional(),
    }),
  ),
});
type Journal = z.infer<typeof Journal>;

export interface Commit {
  /** Writes what was drafted; after an error or a crash nothing of it stays. The caller holds the vault's lock. */
  apply(draft: Draft): Promise<void>;
  isPending(): boolean;
  recover(): Promise<void>;
}

export function createCommit(parts: {
  readonly root: string;
  readonly locate: (path: string) => Promise<string>;
  readonly find: (path: string) => Promise<Document | null>;
}): Commit {
  const { root, locate, find } = parts;
  const journalPlace = () => safePath(root, journalFile);
  const recordPlace = () => safePath(root, recordFile);

  async function apply(draft: Draft): Promise<void> {
    // New texts before removals: a note that moves is never nowhere.
    const changes = [...draft.changes()].sort((a, b) => Number(a.after === null) - Number(b.after === null));
    const lines = draft.recorded();
    if (changes.length === 0 && lines.length === 0) return;
    if (changes.length + lines.length === 1) {
      for (const change of changes) await write(change);
      return record(lines);
    }
    for (const change of changes) await unchanged(change);
    await begin(changes);
    try {
      for (const change of changes) await write(change);
      await record(lines);
    } catch (error) {
      await recover();
      throw error;
    }
    await end();
  }

  /** Emptied and not removed: that is durable on every system. */
  async function end(): Promise<void> {
    await durableWrite(await journalPlace(), '');
  }

  async function begin(changes: readonly Change[]): Promise<void> {
    const journal: Journal = {
      record_length: await sizeOf(await recordPlace()),
      files: changes.map(({ path, before, after }) => ({
        path,
        before: before?.text ?? null,
        after: after === null ? null : hashOf(after),
        text: after,
      })),
    };
    await durableWrite(await journalPlace(), JSON.stringify(journal));
  }

  /** Another program may have written while the change was made. */
  async function unchanged({ path, before }: Change): Promise<void> {
    if ((await find(path))?.hash !== before?.hash) throw new ChangedMeanwhile(path);
  }

  async function write(change: Change): Promise<void> {
    const { path, before, after } = change;
    const place = await locate(path);
    if (!before) makeSharedFolder(dirname(place));
    const mark = before ? markOf(place) : '';
    await unchanged(change);
    if (after === null) return rm(place, { force: true });
    const beforeReplace = () => {
      if (markOf(place) !== mark) throw new ChangedMeanwhile(path);
    };
    try {
      await durableWrite(place, after, before ? { beforeReplace } : { exclusive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw await whatIsThere(path, place);
      throw error;
    }
  }

  async function record(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const handle = await openFile(await recordPlace(), toAppend);
    try {
      await handle.writeFile(lines.map((line) => `\n${line}`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async function recover(): Promise<void> {
    if (!isPending()) return;
    const journal = await readJournal();
    const left: string[] = [];
    for (const { path, before, after, text } of journal?.files.toReversed() ?? []) {
      const present = await find(path);
      if (present?.text === before || (present === null && (before === null || after !== null))) continue;
      const place = await locate(path);
      if ((present?.hash ?? null) !== after) {
        // What somebody wrote since then is theirs; only what was written here is taken out of it.
        const undone =
          before !== null && typeof text === 'string' && present
            ? mergeTexts(text, present.text, before)
            : null;
        if (undone === null) left.push(path);
        else if (undone !== present?.text) await durableWrite(place, undone);
        continue;
      }
      if (before === null) await rm(place, { force: true });
      else {
        makeSharedFolder(dirname(place));
        await durableWrite(place, before);
      }
    }
    const recordedAt = await recordPlace();
    if (journal && (await sizeOf(recordedAt)) > journal.record_length) {
      await truncate(recordedAt, journal.record_length);
    }
    await sayLeft(left);
    await end();
  }

  /** Notes in which a part of what was undone may be left: nobody but a person can tell. */
  async function sayLeft(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const handle = await openFile(await safePath(root, leftFile), toAppend);
    try {
      await handle.writeFile(paths.map((path) => `${path}\n`).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  function isPending(): boolean {
    return (statSync(join(root, journalFile), { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  /** Null for one that was cut off, so before anything was changed. */
  async function readJournal(): Promise<Journal | null> {
    try {
      return Journal.parse(
        JSON.parse((await readFileAt(await journalPlace(), largestJournal)).toString('utf8')),
      );
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  return { apply, recover, isPending };
}

async function sizeOf(place: string): Promise<number> {
  try {
    return (await stat(place)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function markOf(place: string): string {
  const found = statSync(place, { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : '';
}

/** Something has the name of a note that was not found: a link to nothing, or what another program made just now. */
async function whatIsThere(path: string, place: string): Promise<ToolFailure> {
  const to = await readlink(place).catch(() => null);
  if (to === null) return new ChangedMeanwhile(path);
  return new ToolFailure('conflict', `“${path}” is a symbolic link that leads nowhere: ${to}`, {
    hint: 'Nothing was written. Delete the link, or take another path.',
  });
}

/** Between reading and writing; who begins anew sees what it is now. */
export class ChangedMeanwhile extends ToolFailure {
  constructor(path: string) {
    super('conflict', `“${path}” was changed by another program just now.`, {
      hint: 'Read it again and repeat the change.',
    });
  }
}
