import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { Json } from '../../../contract/json';
import { NoteUpdate } from '../../../contract/notes';
import { LineEndsJson } from '../text/line-ends';

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
  /** Which folder that is, wherever it is moved; null: not known. */
  vault: z.string().nullable().default(null),
  path: z.string(),
  sessionId: z.string().regex(/^[0-9a-f]{1,64}$/),
  /** Of the session when this file was begun. */
  version: z.number().int(),
  /** Hash of the bytes that the disk held; null: there was no file. */
  base: z.string().nullable(),
  /** The file beside this one that holds them; null: they follow the header. */
  baseFile: z
    .string()
    .regex(/^[0-9a-f]+-[0-9a-f]+\.base$/)
    .nullable()
    .default(null),
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
  /** The disk held another text, which was taken. */
  z.object({
    kind: z.literal('taken'),
    version: z.number().int(),
    /** Leads from `version` to the next; null: nothing of it was new. */
    update: NoteUpdate.nullable(),
    hash: z.string().nullable(),
    file: z.string().nullable(),
    /** Leads from the text that there is then to the one on disk. */
    toDisk: Json,
    /** Of the text on disk. */
    ends: LineEndsJson,
    observed: Json.optional(),
  }),
  /** Where the note is, and what is about to happen to it. */
  z.object({ kind: z.literal('place'), path: z.string(), underway: Underway.nullable() }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;

/** Length and checksum before each frame. */
export const prefixLength = 8;

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

/** The bytes of one frame; null where none is whole at this place. */
export function frameAt(bytes: Buffer, at: number): Buffer | null {
  if (at + prefixLength > bytes.length) return null;
  const end = at + prefixLength + bytes.readUInt32LE(at);
  if (end > bytes.length) return null;
  const payload = bytes.subarray(at + prefixLength, end);
  return crc32(payload) === bytes.readUInt32LE(at + 4) ? payload : null;
}

function parse<S extends z.ZodType>(schema: S, payload: Buffer): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(payload.toString('utf8')));
  } catch {
    return null;
  }
}

export const parseHeader = (payload: Buffer) => parse(JournalHeader, payload);
export const parseRecord = (payload: Buffer) => parse(JournalRecord, payload);
