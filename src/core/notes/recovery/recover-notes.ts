import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError, isAppError } from '../../../contract/errors';
import { isOlderFile, printInTurns } from '../../../files';
import { type Log, reasonOf, stateOf } from '../../foundation';
import type { Vault } from '../../vault';
import { movedTo } from '../disk/moved-to';
import { salvage } from '../journal/damaged';
import { type JournalState, type Recovered, readJournals } from '../journal/journals';
import { parseJournalName } from '../journal/names';
import type { JournalReading } from '../journal/read-journal';
import { replay } from '../journal/replay';
import type { KeepFor } from '../open/holders';
import type { OpenNoteParts } from '../open/open-note';
import type { Register } from '../open/register';
import type { EndedSessions } from '../session/ended-sessions';
import type { Base } from '../text/base';
import { canFollow } from '../text/diff';
import { printLines, printPieces, readLines } from '../text/line-ends';
import type { RecoveryStore } from './store';
import type { NotesTrouble } from './trouble';

interface RecoverParts {
  readonly parts: Omit<OpenNoteParts, 'onReplaced' | 'onMoved'> & {
    readonly vault: Vault;
    readonly log: Log;
  };
  readonly register: Register;
  readonly store: RecoveryStore;
  readonly endedSessions: EndedSessions;
  readonly keep: KeepFor;
  readonly now: () => number;
  readonly onTrouble: (trouble: NotesTrouble) => void;
}

/** `late`: files of journals that could not be taken up now, for a reason that may pass. */
export interface RecoveredNotes {
  readonly paths: string[];
  readonly late: readonly string[];
}

/**
 * Takes up what an app that died had not saved, and gives each text its place: its note, or among what was recovered. `only`:
 * of these files.
 */
export async function recoverNotes(
  recoverParts: RecoverParts,
  only?: readonly string[],
): Promise<RecoveredNotes> {
  const { parts, store, onTrouble } = recoverParts;
  const { vault, log } = parts;
  const journalFolder = parts.journalFolder();
  store.tidy();
  if (journalFolder === null) return { paths: [], late: only ?? [] };
  const journals = readJournals(journalFolder, vault).filter(({ file }) => only?.includes(file) ?? true);
  // A folder without a single file may be where a disk is not mounted yet.
  const isEmpty = vault.entries().length === 0;
  const paths: string[] = [];
  const late: string[] = [];
  for (const journal of journals) {
    const { file } = journal;
    try {
      if (journal.kind === 'unreadable') late.push(...takeUnreadable(recoverParts, file, journal.error));
      else if (!isEmpty) paths.push(...((await recoverOne(recoverParts, journal, journals)) ?? []));
    } catch (error) {
      late.push(file);
      log.error('journal not recovered', { file, error });
      onTrouble({ kind: 'journal', file, reason: reasonOf(error), setAside: null });
    }
  }
  if (paths.length > 0) log.info('notes recovered', { paths });
  return { paths, late };
}

async function recoverOne(
  recoverParts: RecoverParts,
  journal: Exclude<JournalState, { kind: 'unreadable' }>,
  all: readonly JournalState[],
): Promise<[string] | null> {
  if (journal.kind === 'damaged') return takeDamaged(recoverParts, journal.file, journal.reading);
  const { parts, register, endedSessions, keep } = recoverParts;
  const { session } = journal;
  const path = await whereNow(parts, session.header, session.bases);
  if (!(await isFree(register, path))) return null;
  const others = all.flatMap((one) =>
    one.kind === 'whole' && one.session.header.path !== session.header.path ? one.session.bases : [],
  );
  const another = await isAnother(parts.vault, path, session.bases, others);
  if (!another) tellMoves(parts, session, path);
  if (session.overtakenBy !== null && (await isOvertaken(recoverParts, path, session))) {
    rmSync(session.file, { force: true });
    return null;
  }
  if (!another && (await register.reopen(path, session))) return [path];
  const { note, bases, file, header } = session;
  // Another folder stands where its vault was, and may not stay.
  if (header.vault !== null && header.vault !== parts.vault.id()) return null;
  const isSaved = bases[0]?.version === note.version && bases[0].ahead.empty;
  const now = await whyApart(parts.vault, path);
  const reason = header.underway?.kind === 'trash' ? 'trashed' : now;
  if (isSaved && now === 'deleted') await tellLast(parts, session);
  // What has its place now stands where the text was saved last: nobody else may have it.
  const isOnDisk = isSaved && now !== 'replaced';
  if (isOnDisk || keep(path, printLines(note.doc, note.ends), reason, bases[0]?.file ?? null)) {
    endedSessions.add(header.sessionId, { id: parts.epoch, began: note.version }, note.history, true);
    rmSync(file, { force: true });
  }
  return null;
}

/** What was saved last went with its file, and only the journal has it. */
async function tellLast(
  { observer }: RecoverParts['parts'],
  { header: { sessionId, path }, note: { doc, ends }, observed }: Recovered,
): Promise<void> {
  const text = () => ({ length: doc.length, print: () => printInTurns(printPieces(doc, ends)) });
  const watched = { sessionId, path, text };
  observer?.recovered(watched, observed);
  await observer?.closed(watched, 'deleted');
}

/** To where the app that died knew it to be, and from there to where it is. */
function tellMoves(
  { observer, vault }: RecoverParts['parts'],
  { begunAt, header: { path, underway } }: Recovered,
  now: string,
): void {
  // What is there again is another note, with a history of its own.
  if (begunAt !== path && vault.fileAt(begunAt) === null) observer?.moved(begunAt, path, null, true);
  const byApp = underway?.kind === 'rename' && underway.to === now;
  if (path !== now) observer?.moved(path, now, byApp ? 'app' : 'others', true);
}

/**
 * Whether the note has what the journal has: it was saved while the journal could not be written. Where neither text of ours
 * is there any more nobody knows whether it was, and the journal's is kept apart.
 */
async function isOvertaken(
  { parts, keep }: RecoverParts,
  path: string,
  { overtakenBy, bases, note }: Recovered,
): Promise<boolean> {
  const disk = await readable(parts.vault, path);
  if (typeof disk === 'string' || bases.some(({ hash }) => hash === disk.version)) return false;
  return (
    disk.version === overtakenBy ||
    keep(path, printLines(note.doc, note.ends), 'unknown', bases[0]?.file ?? null)
  );
}

/** Two programs had the note open: one after the other, or the second waits for the next start. */
async function isFree(register: Register, path: string): Promise<boolean> {
  const before = register.at(path);
  if (before?.open.session.isDirty()) return false;
  if (before) await register.close(before);
  return true;
}

/** What is certain goes into the note; all that could be read is among what was recovered, and so is the journal itself. */
async function takeDamaged(
  { parts, register, store, now, onTrouble }: RecoverParts,
  file: string,
  reading: JournalReading,
): Promise<[string] | null> {
  const { vault, log } = parts;
  const header = reading.header && { ...reading.header, ...replay(reading)?.place };
  const path = header ? await whereNow(parts, header, []) : reading.path;
  const disk = path === null ? null : await readable(vault, path);
  const isThere = disk !== null && typeof disk !== 'string';
  const { texts, session: salvaged } = salvage(file, reading, isThere ? disk : null);
  // What a text outside of it was to replace is not joined with that: it can be had from where all of it is kept.
  const isOvertaken = texts !== null && (parseJournalName(basename(file))?.overtakenBy ?? null) !== null;
  const session = isOvertaken ? null : salvaged;
  if (session && path !== null && !(await isFree(register, path))) return null;
  let setAside: string | null = null;
  if (texts) {
    const { text, after } = texts;
    const recovery = store.add({
      note: path,
      vault: reading.root === null ? null : { root: vault.root(), id: reading.vault ?? vault.id() },
      reason: 'damaged',
      at: now(),
      file: isThere ? disk.file : null,
      texts: { ...(text !== null && { text }), ...(after !== null && { after }) },
    });
    if (recovery && store.moveIn(recovery, file)) setAside = recovery.place;
    log.error('journal damaged', { file, setAside });
    onTrouble({ kind: 'journal', file, reason: '', setAside });
    if (!recovery) return null;
  }
  if (session && path !== null) tellMoves(parts, session, path);
  const isReopened = session !== null && path !== null && (await register.reopen(path, session));
  if (!texts && !session) rmSync(file, { force: true });
  return isReopened ? [path] : null;
}

/** What passes is tried again later; what does not lies among what was recovered, to be discarded. */
function takeUnreadable(
  { parts, store, now, onTrouble }: RecoverParts,
  file: string,
  error: unknown,
): readonly string[] {
  const { vault, log } = parts;
  const isForGood = stateOf(error) === 'damaged';
  const about = { note: null, vault: { root: vault.root(), id: vault.id() }, file: null };
  const recovery = isForGood ? store.add({ ...about, reason: 'damaged', at: now(), texts: {} }) : null;
  const setAside = recovery && store.moveIn(recovery, file) ? recovery.place : null;
  log.error('journal not readable', { file, setAside, error });
  onTrouble({ kind: 'journal', file, reason: reasonOf(error), setAside });
  return isForGood ? [] : [file];
}

/** A rename that was under way has happened where only the new name is there; another program may have moved it, too. */
async function whereNow(
  parts: RecoverParts['parts'],
  { path, underway }: Recovered['header'],
  bases: readonly Base[],
): Promise<string> {
  const [base] = bases;
  const disk = await readable(parts.vault, path);
  const isIt = typeof disk !== 'string' && bases.some((one) => isTheFile(parts.vault, one, disk));
  if (isIt || disk === 'unreadable') return path;
  if (
    disk === 'not-there' &&
    underway?.kind === 'rename' &&
    (await readable(parts.vault, underway.to)) !== 'not-there'
  )
    return underway.to;
  return (base && (await movedTo(parts, path, base))) ?? path;
}

/** Its note was deleted meanwhile, and this one only has its name. `others`: what other notes were that are taken up. */
async function isAnother(
  vault: Vault,
  path: string,
  bases: readonly Base[],
  others: readonly Base[],
): Promise<boolean> {
  const disk = await readable(vault, path);
  if (typeof disk === 'string') return false;
  if (bases.some((base) => isTheFile(vault, base, disk))) return false;
  if (others.some(({ file }) => file !== null && vault.succeeds(disk.file, file))) return true;
  const { doc } = readLines(disk.text);
  const isOlder = ({ file }: Base) => file !== null && isOlderFile(disk.file, file);
  return !bases.some((base) => canFollow(base.doc, doc) && !isOlder(base));
}

const whyApart = async (vault: Vault, path: string) =>
  (await readable(vault, path)) === 'not-there' ? 'deleted' : 'replaced';

async function readable(vault: Vault, path: string): Promise<Disk | 'not-there' | 'unreadable'> {
  try {
    return await vault.read(path);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isAppError(error, 'vault.not-found') ? 'not-there' : 'unreadable';
  }
}

interface Disk {
  readonly text: string;
  readonly version: string;
  readonly file: string;
}

/** Also where another of its names was taken up before, and saved. */
const isTheFile = (vault: Vault, { hash, file }: Base, disk: Disk) =>
  hash === disk.version || (file !== null && vault.succeeds(disk.file, file));
