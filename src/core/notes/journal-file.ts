import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { Json } from '../../contract/json';
import { NoteUpdate } from '../../contract/notes';

/** What was about to happen to the note when its process may have ended; which of both states holds, the disk tells. */
export const Underway = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rename'), to: z.string() }),
  z.object({ kind: z.literal('trash') }),
]);
export type Underway = z.infer<typeof Underway>;

/** What a journal begins with: enough to have the note again without the vault. */
export const JournalHeader = z.object({
  format: z.literal(1),
  root: z.string(),
  path: z.string(),
  sessionId: z.string().regex(/^[0-9a-f]{1,64}$/),
  /** Of the session when this file was begun. */
  version: z.number().int(),
  /** Hash of the bytes that the disk held, which follow the header; null: there was no file. */
  base: z.string().nullable(),
  /** Which file it was in. */
  file: z.string().nullable().default(null),
  /** Leads from the base to the text at `version`; null: they are the same. */
  ahead: Json,
  /** The updates up to `version` that a follower may have missed. */
  recent: z.array(NoteUpdate),
  underway: Underway.nullable().default(null),
  /** What the observer of the notes wants to know again after a crash. */
  observed: Json.default(null),
});
export type JournalHeader = z.output<typeof JournalHeader>;

export const JournalRecord = z.discriminatedUnion('kind', [
  /** Leads from `version` to the next. */
  z.object({
    kind: z.literal('update'),
    version: z.number().int(),
    update: NoteUpdate,
    /** Given where it is another one. */
    observed: Json.optional(),
  }),
  /** The text at `version`, which has this hash on disk, is about to replace the note. */
  z.object({ kind: z.literal('saving'), version: z.number().int(), hash: z.string() }),
  z.object({ kind: z.literal('saved'), hash: z.string(), file: z.string().nullable().default(null) }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;

const prefixLength = 8;

function frame(payload: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32LE(payload.length, 0);
  prefix.writeUInt32LE(crc32(payload), 4);
  return Buffer.concat([prefix, payload]);
}

export function printHeader(header: JournalHeader, base: string): Buffer {
  return Buffer.concat([frame(Buffer.from(JSON.stringify(header))), frame(Buffer.from(base))]);
}

export function printRecords(records: readonly JournalRecord[]): Buffer {
  return Buffer.concat(records.map((record) => frame(Buffer.from(JSON.stringify(record)))));
}

function* frames(bytes: Buffer): Generator<Buffer> {
  let at = 0;
  while (at + prefixLength <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const payload = bytes.subarray(at + prefixLength, at + prefixLength + length);
    if (payload.length < length || crc32(payload) !== bytes.readUInt32LE(at + 4)) return;
    yield payload;
    at += prefixLength + length;
  }
}

function parse<S extends z.ZodType>(schema: S, payload: Buffer): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(payload.toString('utf8')));
  } catch {
    return null;
  }
}

/** All that can be trusted: up to the first record that is torn, damaged or out of order. Null: not even the beginning. */
export function readJournal(
  bytes: Buffer,
): { header: JournalHeader; base: string; records: JournalRecord[] } | null {
  const reading = frames(bytes);
  const [first, second] = [reading.next().value, reading.next().value];
  const header = first && parse(JournalHeader, first);
  if (!header || !second) return null;
  const records: JournalRecord[] = [];
  let { version } = header;
  for (const payload of reading) {
    const record = parse(JournalRecord, payload);
    if (!record || (record.kind === 'update' && record.version !== version)) break;
    if (record.kind === 'update') version++;
    records.push(record);
  }
  return { header, base: second.toString('utf8'), records };
}
