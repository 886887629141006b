import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Json } from '../../../contract/json';
import { readFileAtSync } from '../../../files';
import type { Vault } from '../../vault';
import type { Base } from '../text/base';
import { diff, sizeOf } from '../text/diff';
import { readLines } from '../text/line-ends';
import type { NoteText } from '../text/note-text';
import { isBase, sessionOfBase } from './bases';
import { parseJournalName } from './names';
import { isDamaged, type JournalReading, readJournal } from './read-journal';
import type { JournalHeader } from './records';
import { replay } from './replay';

/** Bytes; a journal holds its note and what was typed since. */
const largestJournal = 512 * 1024 * 1024;

/** A session as it was when its process ended. */
export interface Recovered {
  /** Absolute; of the journal. */
  readonly file: string;
  readonly header: JournalHeader;
  /** Where the note was when this journal was begun. */
  readonly begunAt: string;
  readonly note: NoteText;
  /** What may be on disk, oldest first: the last save that is known to have happened, and those that may have. */
  readonly bases: readonly Base[];
  readonly observed: Json;
  /** The hash of a text that was about to replace the note, and that the journal does not have. */
  readonly overtakenBy: string | null;
}

/** What a journal's file turned out to be. */
export type JournalState = { readonly file: string; readonly modified: number } & (
  | { readonly kind: 'whole'; readonly session: Recovered }
  | { readonly kind: 'damaged'; readonly reading: JournalReading }
  | { readonly kind: 'unreadable'; readonly error: unknown }
);

/** Earlier versions renamed what they could not read, and left it. */
const formerlyDamaged = '.journal.damaged';

/** The journals of one vault, and those that do not say whose they are; the oldest first. */
export function readJournals(folder: string, vault: Pick<Vault, 'root' | 'isOf'>): JournalState[] {
  const journals: JournalState[] = [];
  const names = journalNames(folder);
  removeLeftBases(folder, names);
  for (const name of names) {
    const file = join(folder, name);
    // Begun, but never put in place: the former one is still there.
    if (name.endsWith('.new')) rmSync(file, { force: true, recursive: true });
    if (!name.endsWith('.journal') && !name.endsWith(formerlyDamaged)) continue;
    const journal = readOne(file);
    if (isOf(vault, journal)) journals.push(movedTo(vault.root(), journal));
  }
  return journals.sort((a, b) => a.modified - b.modified);
}

function isOf(vault: Pick<Vault, 'isOf'>, journal: JournalState): boolean {
  if (journal.kind === 'unreadable') return true;
  const { root, vault: id } = journal.kind === 'whole' ? journal.session.header : journal.reading;
  return root === null || vault.isOf({ root, id });
}

/** The folder may have another path by now. */
function movedTo(root: string, journal: JournalState): JournalState {
  if (journal.kind !== 'whole') return journal;
  const { session } = journal;
  return { ...journal, session: { ...session, header: { ...session.header, root } } };
}

/** Those of sessions without a journal. */
function removeLeftBases(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const session = sessionOfBase(name);
    if (session !== null && !names.some((other) => other.startsWith(`${session}.`)))
      rmSync(join(folder, name), { force: true });
  }
}

export function readOne(file: string): JournalState {
  let modified = 0;
  try {
    modified = statSync(file).mtimeMs;
    const reading = readJournal(readFileAtSync(file, largestJournal), (name) => baseOf(dirname(file), name));
    const { header } = reading;
    const whole = header && !isDamaged(reading) ? replay(reading) : null;
    if (!header || whole?.rest.length !== 0) return { kind: 'damaged', file, modified, reading };
    const { note, bases, observed, place } = whole;
    const overtakenBy = parseJournalName(basename(file))?.overtakenBy ?? null;
    const now = { ...header, ...place };
    const session = { file, header: now, begunAt: header.path, note, bases, observed, overtakenBy };
    return { kind: 'whole', file, modified, session };
  } catch (error) {
    return { kind: 'unreadable', file, modified, error };
  }
}

/** Null where it is not there, or is another one. */
function baseOf(folder: string, name: string): string | null {
  try {
    const bytes = readFileAtSync(join(folder, name), largestJournal);
    return isBase(name, bytes) ? bytes.toString('utf8') : null;
  } catch {
    return null;
  }
}

export function journalNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Which of them the disk came from: the same, else the one that it resembles most. Not a save that may have happened, where
 * nothing of what that brought is there: if it did not, what was typed is nowhere but here.
 */
export function chooseBase(bases: readonly Base[], disk: { text: string; hash: string }): Base | undefined {
  const [certain, ...possible] = bases;
  const same = bases.find(({ hash }) => hash === disk.hash);
  if (same || !certain || possible.length === 0) return same ?? certain;
  const { doc } = readLines(disk.text);
  const text = doc.toString();
  let [best, size] = [certain, sizeOf(diff(certain.doc, doc))];
  for (const base of possible) {
    const other = sizeOf(diff(base.doc, doc));
    if (other < size && hasSomeOf(broughtBy(certain, base), text)) [best, size] = [base, other];
  }
  return best;
}

function broughtBy(certain: Base, possible: Base): string[] {
  const texts: string[] = [];
  diff(certain.doc, possible.doc).iterChanges((_from, _to, _fromB, _toB, inserted) => {
    if (inserted.toString().trim() !== '') texts.push(inserted.toString());
  });
  return texts;
}

const hasSomeOf = (texts: readonly string[], text: string) =>
  texts.length === 0 || texts.some((one) => text.includes(one));
