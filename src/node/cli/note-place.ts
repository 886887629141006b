import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { AppError } from '../../contract/errors';
import { typedPath } from '../../files';

export interface NotePlace {
  /** Absolute. */
  readonly vault: string;
  /** Relative to the vault, with forward slashes. */
  readonly note: string;
  remove(): Promise<void>;
}

/** A note of a vault: the one named, else the nearest folder above that has `.interlinear`, else the note's own folder. */
export function findNote(note: string, vault: string | undefined): NotePlace {
  const fromHere = typedPath(note);
  const inVault = vault === undefined ? fromHere : typedPath(note, typedPath(vault));
  const path = vault !== undefined && existsSync(inVault) ? inVault : fromHere;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new AppError('vault.not-found', `There is no note “${note}”.`, { path: note });
  const root = vault === undefined ? vaultAbove(path) : typedPath(vault);
  return {
    vault: root,
    note: relative(root, path).split(sep).join('/'),
    remove: async () => undefined,
  };
}

/** One question as a note of a vault that exists for this question only. */
export async function noteForQuestion(question: string): Promise<NotePlace> {
  const vault = await mkdtemp(join(tmpdir(), 'interlinear-'));
  await writeFile(join(vault, 'Question.md'), `#User : ${question.trim()}\n`);
  return { vault, note: 'Question.md', remove: () => rm(vault, { recursive: true, force: true }) };
}

/** The nearest folder above that has `.interlinear`, else the one that the path is in. */
export function vaultAbove(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.interlinear'))) return folder;
    if (folder === dirname(folder)) return dirname(path);
  }
}
