import { useMemo, useState } from 'react';
import { isUnder } from '../../../contract/paths';
import { type Core, useCore } from '../../base/core/core';
import { useForgetsMissed } from '../../base/core/missed';
import { holdForBox } from '../../base/keyboard/held-for-box';
import { useLayout } from '../../base/layout/layout';
import { ownChanges, useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/error-words';
import { folderOf, labelled } from '../../base/text/format';
import { nameHint } from '../../base/text/name-words';
import { t } from '../../base/text/text';
import { foldersAbove } from './tree';
import { useTree } from './tree-state';

interface Typed {
  readonly what: string;
  readonly text: string;
}

export interface FileActions {
  /** Which action failed last, and why; empty when the last one did not. */
  readonly problem: string;
  /** What was typed as the name of what could not be made. */
  readonly typed: Typed | null;
  forgetTyped(): void;
  forgetProblem(): void;
  /** What is to be known of the name that was given last. */
  readonly hint: string;
  forgetHint(): void;
  createNote(folder: string): void;
  createFolder(folder: string): void;
  /** Whether it has moved; why not, is the problem. */
  moveTo(path: string, to: string): Promise<boolean>;
  trash(path: string): void;
}

const join = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

export function useFileActions(): FileActions {
  const core = useCore();
  const [problem, setProblem] = useState('');
  const [typed, setTyped] = useState<Typed | null>(null);
  const [hint, setHint] = useState('');
  const failed = useForgetsMissed(() => setProblem(''));
  return useMemo(() => {
    const attempt = (what: string, work: Promise<void>) => {
      setProblem('');
      return work.then(
        () => true,
        (error: unknown) => {
          failed(error);
          setProblem(labelled(what, failureText(error)));
          return false;
        },
      );
    };
    const attemptNamed = (what: string, make: () => Promise<void>) => {
      const onTyped = (text: string) => text !== '' && setTyped({ what, text });
      void attempt(what, named(make, onTyped));
    };
    return {
      problem,
      typed,
      forgetTyped: () => setTyped(null),
      forgetProblem: () => setProblem(''),
      hint,
      forgetHint: () => setHint(''),
      createNote: (folder) => attemptNamed(t('files.newNote'), () => createNote(core, folder)),
      createFolder: (folder) => attemptNamed(t('files.newFolder'), () => createFolder(core, folder)),
      moveTo: async (path, to) => {
        const moved = await attempt(
          t(folderOf(path) === folderOf(to) ? 'files.rename' : 'files.moved'),
          moveTo(core, path, to),
        );
        setHint(moved && to !== path ? nameHint(to) : '');
        return moved;
      },
      trash: (path) => void attempt(t('files.delete'), trash(core, path)),
    };
  }, [core, problem, typed, hint, failed]);
}

function reveal(path: string): void {
  const tree = useTree.getState();
  tree.setExpanded(foldersAbove(path), true);
  tree.choose(path);
}

/** What is typed meanwhile is for the field with its name; where there will be none, `onTyped` is told of it. */
async function named(make: () => Promise<void>, onTyped: (typed: string) => void): Promise<void> {
  const keysForBox = holdForBox('.file-name-field');
  try {
    await make();
    keysForBox.give();
  } catch (error) {
    onTyped(keysForBox.drop());
    throw error;
  }
}

async function createNote(core: Core, folder: string): Promise<void> {
  const { path } = await core.call('vault.create', { path: join(folder, `${t('files.untitled')}.md`) });
  ownChanges.created(path, 'note');
  useLayout.getState().openNote(path);
  reveal(path);
  useTree.getState().nameNewNote(path);
}

async function createFolder(core: Core, folder: string): Promise<void> {
  const { entries } = useVaultEntries.getState();
  let path = join(folder, t('files.newFolderName'));
  for (let n = 2; entries?.has(path); n++) path = join(folder, `${t('files.newFolderName')} ${n}`);
  await core.call('vault.createFolder', { path });
  ownChanges.created(path, 'folder');
  reveal(path);
  useTree.getState().rename(path);
}

async function moveTo(core: Core, path: string, to: string): Promise<void> {
  if (isUnder(to, path)) return;
  useTree.getState().expectMove(path, to);
  await core.call('vault.rename', { from: path, to });
  ownChanges.moved(path, to);
  useLayout.getState().renamed(path, to);
  reveal(to);
}

async function trash(core: Core, path: string): Promise<void> {
  await core.call('vault.trash', { path });
  ownChanges.removed(path);
  useLayout.getState().removed(path);
}
