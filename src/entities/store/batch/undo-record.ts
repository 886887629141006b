import { ownPath } from '../records/own-path';
import { type OwnRecord, type Records, textOf } from '../records/own-records';
import { journalName } from './journal';

export const leftName = 'vault-undone.txt';

/** Characters; nobody reads more of it. */
const longestLeft = 256 * 1024;

/** The notes in which a part of what was undone may be left, and the journals that could not be read, as their record names them. */
export function leftIn(record: OwnRecord): readonly string[] {
  return [...new Set(linesOf(record).filter(isNamed))];
}

/** What of it names neither; null where all of it does. */
export function leftBadly(record: OwnRecord): string | null {
  if ((textOf(record)?.length ?? 0) > longestLeft) return 'it is far too long';
  const bad = linesOf(record).filter((line) => !isNamed(line)).length;
  return bad === 0 ? null : `${bad} of the notes in which a part of a batch may be left`;
}

export const printLeft = (paths: readonly string[]) => paths.map((path) => `${path}\n`).join('');

/** Where a part of what was undone may be left, or the journal with what could not be: nobody but a person can tell. */
export async function sayLeft(records: Records, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { kind } = await records.read(leftName);
  if (kind === 'unusable') await records.setAside(leftName);
  await records.append(leftName, printLeft(paths), { durably: true });
}

const asideStart = `${ownPath(journalName)}.set-aside`;

/** No note has such a path: it is hidden. */
export const isJournalAside = (path: string) =>
  path.startsWith(asideStart) && /^(?:-\d{1,9})?$/.test(path.slice(asideStart.length));

function linesOf(record: OwnRecord): readonly string[] {
  const text = textOf(record) ?? '';
  const end = text.slice(-longestLeft);
  // The first line of what was cut is half of one.
  const lines = end.length < text.length ? end.slice(end.indexOf('\n') + 1) : end;
  return lines.split('\n').filter(Boolean);
}

const isNamed = (line: string) => isPath(line) || isJournalAside(line);

/** A file that a change may have written: none without an ending is. */
const isPath = (line: string) => line.length <= 4096 && /^[^\p{Cc}]*\.[\p{L}\p{N}]{1,16}$/u.test(line);
