import { renameSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  largestSetting,
  type RootFolder,
  readFileInside,
  rootFolder,
  safePath,
  safeSegments,
  visiblePath,
} from '../../files';
import { outside, ToolFailure, toFailure } from '../base/failures';
import { hashOf } from '../base/hash';
import { ChangedMeanwhile } from './batch/changed-meanwhile';
import { createCommit } from './batch/commit';
import type { Document } from './batch/document';
import { createDraft, type Draft } from './batch/draft';
import { journalName } from './batch/journal';
import { leadAnew, linksTo } from './batch/links';
import { createLock } from './records/lock';
import { NoRecord } from './records/no-record';
import { ownPath } from './records/own-path';
import { createRecords, type Obstacle, type OwnRecord } from './records/own-records';
import { type Look, rest, untilRest, untilWhole } from './tree/at-rest';
import type { Tree } from './tree/tree';
import type { VaultFile } from './tree/vault-file';

/** The texts of one vault. */
export interface Store {
  list(folder?: string): Promise<readonly VaultFile[]>;
  read(path: string): Promise<Document>;
  /** Null: not there. */
  find(path: string): Promise<Document | null>;
  /**
   * Runs `work` on a draft, again where another program wrote meanwhile, alone among all processes that write to this vault through this server, and then writes
   * what it drafted: all of it or, also after a crash, nothing. Who gives ids away looks into the folders first.
   */
  change<T>(work: (draft: Draft) => Promise<T>, looking?: 'events' | 'folders'): Promise<T>;
  /**
   * Before anything is read: lets a change that is just being written come to its end, and undoes what a process that
   * died in the middle of one left behind.
   */
  settle(): Promise<void>;
  /**
   * Inside a change, and at once: another name, in the same folder, for what has or had one that no path may have. Never
   * onto something else.
   */
  renameUnusable(path: string, name: string): Promise<{ from: string; to: string }>;
  /** A file for the app that a person may write, such as `.interlinear/workspaces.json`. Null: not there. */
  readSetting(name: string): Promise<string | null>;
  readRecord(name: string): Promise<OwnRecord>;
  /** Inside a change, and at once. */
  replaceRecord(name: string, text: string): Promise<void>;
  /** The same for one that may lose its end in a crash; its size afterwards. */
  appendRecord(name: string, text: string): Promise<number>;
  /** What can't be used of these records, of the journal and of the lock. */
  obstacles(written: readonly string[], onlyRead: readonly string[]): Promise<readonly Obstacle[]>;
  /** A name for a record that nothing has. */
  asideName(name: string): Promise<string>;
  /** Not inside a change: as long as it is damaged there is none. */
  setLockAside(): Promise<void>;
  /** Not inside a change: none is begun as long as what the journal tells of can't be undone. */
  setJournalAside(): Promise<void>;
}

/** Milliseconds: somebody may write all the time. */
const longestWait = 2_500;

/** Another program would have to write at the same moment each time. */
const mostAttempts = 5;
const largestFile = 20 * 1024 * 1024;

/** Longer than most: a list of what a vault's texts are asked for, most of it a few lines each. */
export function createStore({
  root,
  home = rootFolder(root),
  tree,
  readWritten,
}: {
  root: string;
  home?: RootFolder;
  tree: Tree;
  /** Reads what a change has written, before anybody else writes over it. */
  readWritten: () => Promise<unknown>;
}): Store {
  const records = createRecords(home);
  const alone = createLock({ records, home });
  const commit = createCommit({ home, records, locate, find: (path) => find(path), onWritten: tree.lookNow });
  /** What the last change wrote here was written whole. */
  let written: ReadonlyMap<string, string | null> = new Map();

  async function locate(path: string): Promise<string> {
    return visiblePath(root, path);
  }

  async function list(folder = ''): Promise<readonly VaultFile[]> {
    if (folder !== '') await locate(folder);
    await tree.refresh();
    const prefix = safeSegments(folder).join('/');
    return prefix === ''
      ? tree.files()
      : tree.files().filter((file) => file.path.startsWith(prefix) && file.path[prefix.length] === '/');
  }

  async function read(path: string): Promise<Document> {
    return readRested(path, (_, look) => untilWhole(look, tree.get(path)));
  }

  /** Reads again as long as there is something to wait for. */
  async function readRested(
    path: string,
    left: (document: Document, look: Look) => number,
  ): Promise<Document> {
    await locate(path);
    const until = Date.now() + longestWait;
    for (;;) {
      const { bytes, mark } = await readFileInside(root, path, largestFile).finally(home.check);
      const document = { path, text: decode(path, bytes), hash: hashOf(bytes) };
      const wait = left(document, { ...mark, modified: mark.mtimeMs });
      if (wait === 0 || Date.now() > until) return document;
      await setTimeout(Math.min(wait, rest.text));
    }
  }

  /** As `find`, for what is to be changed: once nobody has written to it for a moment. */
  const findAtRest = (path: string): Promise<Document | null> =>
    orNull(
      readRested(path, ({ text, hash }, look) => {
        if (hash === written.get(path)) return 0;
        return untilRest(look, text.trim() === '' ? rest.empty : rest.text);
      }),
    );

  const find = (path: string): Promise<Document | null> => orNull(read(path));

  async function readSetting(name: string): Promise<string | null> {
    const record = await records.read(name, largestSetting);
    if (record.kind === 'missing') return null;
    if (record.kind === 'whole') return record.text;
    if (record.kind === 'unusable') throw record.refusal;
    throw new ToolFailure('too_large', `${ownPath(name)} is too large: ${record.size} bytes.`, {
      hint: `It may have ${largestSetting} bytes. check_project, with its key in fix, sets it aside.`,
    });
  }

  async function renameUnusable(path: string, name: string): Promise<{ from: string; to: string }> {
    const at = path.lastIndexOf('/') + 1;
    const [folder, old] = [path.slice(0, at), path.slice(at)];
    const mayNotBe = (each: string) =>
      each === '' || each.includes('/') || (each.startsWith('.') && !/\.(?:md|markdown)$/i.test(each));
    if ([name, old].some(mayNotBe)) throw outside(path);
    const inside = await safePath(root, folder);
    const place = join(inside, name);
    if (await lstat(place).catch(() => null)) {
      throw new ToolFailure('conflict', `“${folder}${name}” exists already.`);
    }
    const present = await placeCalled(inside, old);
    home.check();
    renameSync(present, place);
    return { from: path, to: folder + name };
  }

  /** Also of what has a name that is no UTF-8 and is shown as far as it can be read. */
  async function placeCalled(folder: string, name: string): Promise<string | Buffer> {
    if (!name.includes('\uFFFD')) return join(folder, name);
    const [one, another] = (await readdir(folder, { encoding: 'buffer' })).filter(
      (each) => each.toString('utf8') === name,
    );
    if (one && !another) return Buffer.concat([Buffer.from(`${folder}${sep}`), one]);
    throw new ToolFailure('not_found', `“${name}” is not there, or there more than once.`);
  }

  return {
    renameUnusable,
    list,
    read,
    find,
    readSetting,
    readRecord: (name) => records.read(name),
    appendRecord: records.append,
    replaceRecord: records.replace,
    obstacles: (written, onlyRead) => records.obstacles([...written, journalName], onlyRead),
    asideName: records.asideName,
    setLockAside: records.setLockAside,
    setJournalAside: () => alone(commit.setAside),
    change: (work, looking = 'events') =>
      alone(async () => {
        await commit.recover();
        for (let attempt = 1; ; attempt++) {
          await tree.refresh(looking);
          const draft = createDraft({ find: findAtRest });
          try {
            const answer = await work(draft);
            const links = await linksTo(root, tree.files(), draft.moves());
            await commit.apply(draft);
            written = new Map(draft.changes().map(({ path, after }) => [path, after && hashOf(after)]));
            await leadAnew(root, links);
            // It is done; what cannot be read now, the next request tells.
            await readWritten().catch(() => undefined);
            return answer;
          } catch (error) {
            // Nothing was written. Whoever checks what it changes does so against what it is now.
            if (!(error instanceof ChangedMeanwhile)) throw error;
            if (attempt === mostAttempts)
              throw error.withDifference((await find(error.path).catch(() => null))?.text);
          }
        }
      }),
    settle: async () => {
      home.check();
      if (!commit.isPending()) return;
      try {
        await alone(commit.recover);
      } catch (error) {
        // It keeps nobody from reading; whoever writes is told.
        if (!(error instanceof NoRecord)) throw error;
      }
    },
  };
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (toFailure(error).code === 'not_found') return null;
    throw error;
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure('validation', `“${path}” is not text (UTF-8).`);
  }
}
