import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { VersionAuthor, VersionCause } from '../../../contract/versions';

const entry = {
  note: z.string(),
  id: z.string(),
  at: z.number(),
  path: z.string(),
  by: z.array(VersionAuthor),
};

/** The file as it was seen on disk: while it is the same, its text need not be read. `file`: which one it is, wherever it is moved. */
export const Seen = z.object({ bytes: z.number(), modified: z.number(), file: z.string().optional() });
export type Seen = z.infer<typeof Seen>;

/** A line of the index. */
export const IndexRecord = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    ...entry,
    cause: VersionCause,
    object: z.string(),
    /** What the object takes on disk. */
    size: z.number(),
    bytes: z.number(),
    added: z.number().nullable(),
    removed: z.number().nullable(),
    seen: Seen.nullable(),
    /** Typed in a window while the file was gone: the note stays gone. */
    gone: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('moved'), ...entry, from: z.string() }),
  z.object({ kind: z.literal('gone'), ...entry, how: z.enum(['trashed', 'deleted']) }),
  /** Its newest version is what stands on disk. */
  z.object({ kind: z.literal('seen'), note: z.string(), seen: Seen }),
  /** An index begins with it, so that one that is empty was not always. `isLost`: texts are kept that lines named which cannot be read. */
  z.object({ kind: z.literal('begun'), at: z.number(), isLost: z.boolean() }),
]);
export type IndexRecord = z.infer<typeof IndexRecord>;

/** A checksum before each: a record that was cut off, or damaged later, is known. */
export function printRecord(record: IndexRecord): string {
  const json = JSON.stringify(record);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** Null: it is damaged, or of a newer app. */
export function readRecord(line: string): IndexRecord | null {
  const json = line.slice(9);
  if (line.slice(0, 8) !== crc32(json).toString(16).padStart(8, '0')) return null;
  try {
    return IndexRecord.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
