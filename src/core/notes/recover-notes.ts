import { rmSync } from 'node:fs';
import { AppError, isAppError } from '../../contract/errors';
import { isOlderFile } from '../../files';
import type { Log } from '../foundation';
import type { Vault } from '../vault';
import { resembles } from './diff';
import type { NotesTrouble } from './door';
import { printLines, readLines } from './line-ends';
import { movedTo, type OpenNoteParts } from './open-note';
import { type Recovered, readJournals } from './recover';
import type { Register } from './register';
import type { Base } from './session';

/** Takes up what an app that died had not saved, and gives each text its place: its note, or a file of its own. */
export async function recoverNotes({
  parts,
  register,
  keep,
  onTrouble,
}: {
  parts: Omit<OpenNoteParts, 'onReplaced' | 'onMoved'> & { readonly vault: Vault; readonly log: Log };
  register: Register;
  keep: (path: string, text: string) => boolean;
  onTrouble: (trouble: NotesTrouble) => void;
}): Promise<string[]> {
  const { vault, journalFolder, log } = parts;
  if (journalFolder === null) return [];
  const journals = readJournals(journalFolder, vault.root(), log, (file, reason, setAside) =>
    onTrouble({ kind: 'journal', file, reason, setAside }),
  );
  // A folder without a single file may be where a disk is not mounted yet.
  if (vault.entries().length === 0) return [];
  const paths: string[] = [];
  for (const journal of journals) {
    try {
      const path = await recoverOne(journal);
      if (path !== null) paths.push(path);
    } catch (error) {
      log.error('journal not recovered', { file: journal.file, error });
      const reason = error instanceof Error ? error.message : String(error);
      onTrouble({ kind: 'journal', file: journal.file, reason, setAside: null });
    }
  }
  if (paths.length > 0) log.info('notes recovered', { paths });
  return paths;

  async function recoverOne(journal: Recovered): Promise<string | null> {
    const path = await whereNow(journal);
    const before = register.at(path);
    // Two programs had the note open: one after the other, or the second waits for the next start.
    if (before) {
      if (before.open.session.isDirty()) return null;
      await register.close(before);
    }
    if (!(await isAnother(path, journal))) {
      if (await register.reopen(path, journal)) return path;
    }
    const { note, bases, file } = journal;
    const isSaved = bases[0]?.version === note.version && bases[0].ahead.empty;
    if (isSaved || keep(path, printLines(note.doc, note.ends))) rmSync(file, { force: true });
    return null;
  }

  /** A rename that was under way has happened where only the new name is there; another program may have moved it, too. */
  async function whereNow({ header, bases }: Recovered): Promise<string> {
    const { path, underway } = header;
    const [base] = bases;
    const disk = await readable(path);
    const isIt = typeof disk !== 'string' && bases.some((known) => isTheFile(known, disk));
    if (isIt || disk === 'unreadable') return path;
    if (disk === 'not-there' && underway?.kind === 'rename' && (await readable(underway.to)) !== 'not-there')
      return underway.to;
    return (base && (await movedTo(parts, base))) ?? path;
  }

  /** Its note was deleted meanwhile, and this one only has its name. */
  async function isAnother(path: string, { bases }: Recovered): Promise<boolean> {
    const disk = await readable(path);
    if (typeof disk === 'string') return false;
    if (bases.some((base) => isTheFile(base, disk))) return false;
    const { doc } = readLines(disk.text);
    const isOlder = ({ file }: Base) => file !== null && isOlderFile(disk.file, file);
    return !bases.some((base) => resembles(base.doc, doc) && !isOlder(base));
  }

  async function readable(path: string): Promise<Disk | 'not-there' | 'unreadable'> {
    try {
      return await vault.read(path);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return isAppError(error, 'vault.not-found') ? 'not-there' : 'unreadable';
    }
  }
}

interface Disk {
  readonly text: string;
  readonly version: string;
  readonly file: string;
}

const isTheFile = ({ hash, file }: Base, disk: Disk) => hash === disk.version || file === disk.file;
