import { ChangeSet, Text } from '@codemirror/state';
import type { Json } from '../../../contract/json';
import type { Base } from '../text/base';
import { changesFromJson } from '../text/changes';
import { endsFromJson, mapLineEnds, readLines } from '../text/line-ends';
import { createNoteText, type NoteText } from '../text/note-text';
import type { JournalPiece, JournalReading } from './read-journal';
import { type JournalHeader, type JournalRecord, parseRecord, prefixLength } from './records';

/** What leads from one version to the next. */
type UpdateRecord = Pick<Extract<JournalRecord, { kind: 'update' }>, 'version' | 'update'>;
type TakenRecord = Extract<JournalRecord, { kind: 'taken' }>;

/** A session's text as its journal tells it. */
export interface Replay {
  readonly note: NoteText;
  /** What may be on disk, oldest first: the last save that is known to have happened, and those that may have. */
  readonly bases: readonly Base[];
  readonly observed: Json;
  /** Where the note was, and what was about to happen to it. */
  readonly place: Pick<JournalHeader, 'path' | 'underway'> | null;
  /** The last state that was this text. */
  readonly match: Base | null;
  /** What could not be applied: from the damage on. Empty: the whole journal was. */
  readonly rest: readonly JournalPiece[];
}

/**
 * `likely`: records are taken that do not match their checksum but can be read and fit. `sought`: the text whose state becomes
 * `match`. Null: not even the beginning can be used. One closure, since each record may change all of the state that the next one meets.
 */
export function replay(
  { header, base, pieces }: JournalReading,
  { likely = false, sought = null }: { likely?: boolean; sought?: Text | null } = {},
): Replay | null {
  if (base === null) return null;
  const { doc, ends } = readLines(base);
  const version = header?.version ?? firstVersion(pieces);
  const start = { version, ...startOf(header, doc) };
  const note = createNoteText({ doc, ends, ...start });
  let certain: Base = {
    hash: header?.base ?? null,
    file: header?.file ?? null,
    ...{ doc, ends, version, ahead: start.ahead },
  };
  let possible: Base[] = [];
  let observed = header?.observed ?? null;
  let place: Replay['place'] = header && { path: header.path, underway: header.underway };
  const stateNow = (hash: string | null): Base => ({
    ...{ hash, file: null, version: note.version, doc: note.doc, ends: note.ends },
    ahead: ChangeSet.empty(note.doc.length),
  });
  let match: Base | null = sought?.eq(doc) ? certain : null;
  let gaps: JournalPiece[] = [];
  /** A save is begun before what is typed meanwhile, and written down after it. */
  const texts = new Map([[note.version, { doc: note.doc, ends: note.ends }]]);
  const see = () => {
    texts.set(note.version, { doc: note.doc, ends: note.ends });
    if (sought && sought.length === note.doc.length && sought.eq(note.doc)) match = stateNow(null);
  };
  see();

  /** False: text that came before it is missing. */
  function take(record: JournalRecord): boolean {
    switch (record.kind) {
      case 'update': {
        if (record.version < note.version) return true;
        const changes = record.version === note.version ? fitting(record, note.doc.length) : null;
        if (!changes) return false;
        note.apply(record.update.clientId, changes, record.update.goesOn ?? false);
        observed = record.observed ?? observed;
        gaps = [];
        see();
        return true;
      }
      case 'saving': {
        const text = texts.get(record.version);
        if (text) {
          const ahead = ChangeSet.empty(text.doc.length);
          possible.push({ hash: record.hash, file: null, version: record.version, ...text, ahead });
        }
        return true;
      }
      case 'saved': {
        const match = possible.find(({ hash }) => hash === record.hash);
        if (match) certain = { ...match, file: record.file };
        possible = [];
        return true;
      }
      case 'taken':
        return takeDisk(record);
      case 'place':
        place = { path: record.path, underway: record.underway };
        return true;
    }
  }

  function takeDisk({
    version,
    update,
    hash,
    file,
    toDisk,
    ends,
    observed: observation,
  }: TakenRecord): boolean {
    if (version < note.version) return true;
    if (version > note.version) return false;
    const changes = update ? fitting({ version, update }, note.doc.length) : null;
    const after = changes ? changes.newLength : note.doc.length;
    const diskChanges = fitting({ version, update: { clientId: 'disk', changes: toDisk } }, after);
    if ((update && !changes) || !diskChanges) return false;
    if (update && changes) note.apply(update.clientId, changes, update.goesOn ?? false);
    const fromDisk = diskChanges.invert(note.doc);
    const [doc, diskEnds] = [diskChanges.apply(note.doc), endsFromJson(ends)];
    certain = { hash, file, doc, ends: diskEnds, ahead: fromDisk, version: note.version };
    possible = [];
    note.setEnds(mapLineEnds(diskEnds, fromDisk));
    observed = observation ?? observed;
    gaps = [];
    see();
    return true;
  }

  const result = (rest: readonly JournalPiece[]): Replay => {
    return { note, bases: [certain, ...possible], observed, place, match, rest };
  };
  for (const [at, piece] of pieces.entries()) {
    const record = piece.kind === 'record' ? piece.record : likely ? likelyRecord(piece.bytes) : null;
    // Without a record in its place nothing of it is missing where the next one follows on the last.
    if (!record || (piece.kind === 'damaged' && !take(record))) gaps.push(piece);
    else if (piece.kind === 'record' && !take(record)) return result([...gaps, ...pieces.slice(at)]);
  }
  return result(gaps);
}

function startOf(header: JournalReading['header'], doc: Text) {
  const none = { ahead: ChangeSet.empty(doc.length), recent: [] };
  if (!header) return none;
  try {
    const ahead = header.ahead === null ? none.ahead : ChangeSet.fromJSON(header.ahead);
    ahead.apply(doc);
    const recent = header.recent.map(({ changes, ...update }) => ({
      ...update,
      changes: ChangeSet.fromJSON(changes),
    }));
    return { ahead, recent };
  } catch {
    return none;
  }
}

const firstVersion = (pieces: readonly JournalPiece[]) =>
  pieces.flatMap((piece) => (piece.kind === 'record' ? (updateOf(piece.record)?.version ?? []) : []))[0] ?? 0;

function updateOf(record: JournalRecord | null): UpdateRecord | null {
  if (record?.kind === 'update') return record;
  if (record?.kind !== 'taken' || !record.update) return null;
  return { version: record.version, update: record.update };
}

export const likelyRecord = (bytes: Buffer) => parseRecord(bytes.subarray(prefixLength));

export function fitting({ update }: UpdateRecord, length: number): ChangeSet | null {
  try {
    return changesFromJson(update.changes, length);
  } catch {
    return null;
  }
}

/** The length of the text that it changes; null where it is no change. */
function lengthBefore({ update }: UpdateRecord): number | null {
  try {
    return ChangeSet.fromJSON(update.changes).length;
  } catch {
    return null;
  }
}

/** Stands for a letter that is not known; no character of a text. */
const unknownLetter = '\uFFFF';
const unknownRun = new RegExp(`\\n?${unknownLetter}(?:\\n?${unknownLetter})*\\n?`);
const unknownLine = unknownLetter.repeat(1_000);

/** In lines: a change to one long line would copy all of it. */
function unknownText(length: number): Text {
  const lines = Array.from({ length: Math.floor(length / (unknownLine.length + 1)) }, () => unknownLine);
  return Text.of([...lines, unknownLetter.repeat(length % (unknownLine.length + 1))]);
}

/**
 * What was inserted after a place from which on changes can't be applied: they are, to a text of which only the length is known, so
 * that words which came letter by letter stand together and what was taken back again is gone.
 */
export function insertedText(pieces: readonly JournalPiece[]): string[] {
  const texts: string[] = [];
  let doc: Text | null = null;
  let version = 0;
  const finish = () => {
    const runs = doc?.toString().split(unknownRun) ?? [];
    texts.push(...runs.filter((run) => run.trim() !== ''));
    doc = null;
  };
  for (const piece of pieces) {
    const record = piece.kind === 'record' ? piece.record : likelyRecord(piece.bytes);
    const update = updateOf(record);
    if (piece.kind === 'damaged' && !record) texts.push(...legibleInserts(piece.bytes));
    if (!update || (doc && update.version < version)) continue;
    let changes: ChangeSet | null =
      doc && update.version === version ? fitting(update, (doc as Text).length) : null;
    if (!changes) {
      finish();
      const length = lengthBefore(update);
      if (length === null) continue;
      doc = unknownText(length);
      changes = fitting(update, length);
    }
    if (changes && doc) doc = changes.apply(doc);
    version = update.version + 1;
  }
  finish();
  return texts;
}

/** Strings in what is left of a record's list of changes. */
function legibleInserts(bytes: Buffer): string[] {
  const words = bytes.toString('utf8').split(',"observed":')[0] ?? '';
  const from = words.indexOf('"changes":');
  const strings = words.slice(from === -1 ? 0 : from + '"changes":'.length).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (from === -1 && !words.includes('[')) return [];
  const lines = strings.flatMap((one) => {
    try {
      return [JSON.parse(one) as string];
    } catch {
      return [];
    }
  });
  const text = lines.filter((line) => !recordWords.has(line)).join('\n');
  return text.trim() === '' ? [] : [text];
}

/** Names and words of a record's own. */
const recordWords = new Set([
  'kind',
  'update',
  'version',
  'clientId',
  'changes',
  'observed',
  'saving',
  'saved',
  'taken',
  'place',
  'toDisk',
  'ends',
]);
