import { randomBytes } from 'node:crypto';
import { printLines, readLines } from '../text/line-ends';
import type { Recovered } from './journals';
import type { JournalReading } from './read-journal';
import { insertedText, type Replay, replay } from './replay';

/** What a damaged journal still gives. */
export interface Salvage {
  /** The note as far as it can be told, and what was inserted after that. Null: the note says all of it, or will. */
  readonly texts: { readonly text: string | null; readonly after: string | null } | null;
  /** The part that belongs into the note for certain, since the disk holds one of its states. Null: none. */
  readonly session: Recovered | null;
}

interface Disk {
  readonly text: string;
  readonly version: string;
  readonly file: string;
}

/** `disk`: its note as it stands now; null: it is not there, or not known to be this one. */
export function salvage(file: string, reading: JournalReading, disk: Disk | null): Salvage {
  const onward = disk && fromDisk(reading, disk);
  const session = onward && sessionOf(file, reading, onward);
  if (onward?.rest.length === 0) return { texts: null, session };
  const state = onward?.isLater ? onward : replay(reading, { likely: true });
  const text = state ? printLines(state.note.doc, state.note.ends) : reading.words;
  const after = insertedText(state?.rest ?? reading.pieces);
  if (text !== null && text === disk?.text && after.length === 0) return { texts: null, session };
  return { texts: { text, after: after.length === 0 ? null : after.join('\n\n') }, session };
}

type FromDisk = Replay & { readonly isLater: boolean };

/** What follows from the state that is on disk: one from before the damage, or one that was saved after it. */
function fromDisk(reading: JournalReading, disk: Disk): FromDisk | null {
  const { header, isBeginningWhole, pieces } = reading;
  if (!header) return null;
  const onDisk = { hash: disk.version, file: disk.file };
  const chain = isBeginningWhole ? replay(reading, { sought: readLines(disk.text).doc }) : null;
  if (chain?.match) {
    // A later save that the disk does not hold any more was taken back there.
    const isTakenBack = (chain.bases[0]?.version ?? 0) > chain.match.version;
    return { ...chain, bases: isTakenBack ? chain.bases : [{ ...chain.match, ...onDisk }], isLater: false };
  }
  const lastSave = pieces.findLastIndex(
    (piece) =>
      piece.kind === 'record' && piece.record.kind === 'saving' && piece.record.hash === disk.version,
  );
  const save = pieces[lastSave];
  if (save?.kind !== 'record' || save.record.kind !== 'saving') return null;
  const later = replay({
    ...reading,
    header: {
      ...header,
      base: onDisk.hash,
      file: onDisk.file,
      baseFile: null,
      version: save.record.version,
      ahead: null,
      recent: [],
    },
    base: disk.text,
    pieces: pieces.slice(lastSave + 1),
  });
  return later && { ...later, isLater: true };
}

function sessionOf(
  file: string,
  { header }: JournalReading,
  { note, bases, observed, place, rest }: FromDisk,
): Recovered | null {
  if (!header) return null;
  // Windows know numbers of changes that are missing.
  const sessionId = rest.length === 0 ? header.sessionId : randomBytes(12).toString('hex');
  const now = { ...header, ...place, sessionId };
  return { file, header: now, begunAt: header.path, note, bases, observed, overtakenBy: null };
}
