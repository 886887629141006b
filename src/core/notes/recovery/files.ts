import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { RecoveryPart, RecoveryReason } from '../../../contract/recovery';
import { readFileAtSync } from '../../../files';

const fileName = z.string().refine((name) => name !== '' && basename(name) === name && !name.startsWith('.'));
export const About = z.object({
  format: z.literal(1),
  note: z.string().nullable(),
  vault: z.object({ root: z.string(), id: z.string().nullable() }).nullable(),
  reason: RecoveryReason,
  at: z.number(),
  /** Which file on disk the note was. */
  file: z.string().nullable(),
  /** Where each text is, in the same folder. */
  parts: z.object({ text: fileName.optional(), theirs: fileName.optional(), after: fileName.optional() }),
  restored: z.object({ at: z.number(), path: z.string() }).nullable(),
});
export type About = z.output<typeof About>;

export interface StoredRecovery extends Omit<About, 'format' | 'parts'> {
  readonly id: string;
  /** Absolute; a folder, or a file that an earlier version wrote. */
  readonly place: string;
  readonly name: string;
  readonly parts: readonly { readonly part: RecoveryPart; readonly file: string; readonly bytes: number }[];
}

const longestName = 60;
const largestAbout = 1024 * 1024;
export const aboutFile = 'about.json';
export const suffixes = { text: '', theirs: ' (other program)', after: ' (after the damage)' } as const;

function readAbout(place: string): About | null {
  try {
    return About.parse(JSON.parse(readFileAtSync(join(place, aboutFile), largestAbout).toString('utf8')));
  } catch {
    return null;
  }
}

/** Where what is known of them cannot be read, the texts still can. */
export const readAboutOrGuess = (place: string): About => readAbout(place) ?? guessed(place);

export function readFolder(place: string): StoredRecovery {
  const { format: _format, ...about } = readAboutOrGuess(place);
  return {
    ...about,
    id: idOf(place),
    place,
    name: about.note === null ? nameIn(place) : nameOf(about.note),
    parts: RecoveryPart.options.flatMap((part) => {
      const name = about.parts[part];
      const file = name === undefined ? null : join(place, name);
      const stats = file === null ? undefined : lstatSync(file, { throwIfNoEntry: false });
      return file !== null && stats?.isFile() ? [{ part, file, bytes: stats.size }] : [];
    }),
  };
}

const nowhere = { note: null, vault: null, file: null, restored: null, reason: 'unknown' } as const;

function guessed(place: string): About {
  const names = entriesOf(place).map(({ name }) => name);
  const nameEndingIn = (ending: string) => names.find((name) => name.endsWith(`${ending}.md`));
  const [theirs, after] = [nameEndingIn(suffixes.theirs), nameEndingIn(suffixes.after)];
  const text = names.find((name) => name.endsWith('.md') && name !== theirs && name !== after);
  const at = timeIn(place) ?? modifiedAt(place) ?? 0;
  const parts = { ...(text && { text }), ...(theirs && { theirs }), ...(after && { after }) };
  return { format: 1, ...nowhere, at, parts };
}

/** Until then each was a file, which tells the note's name and when. */
export function readOlder(file: string): StoredRecovery {
  const { size, mtimeMs } = lstatSync(file);
  const parts = [{ part: 'text', file, bytes: size } as const];
  return { ...nowhere, id: idOf(file), place: file, name: nameIn(file), at: timeIn(file) ?? mtimeMs, parts };
}

const idOf = (place: string) =>
  createHash('sha256').update(basename(place, '.md')).digest('hex').slice(0, 12);

export const nameOf = (note: string | null) =>
  basename(note ?? 'Unknown note')
    .replace(/\.(md|markdown)$/i, '')
    .slice(0, longestName);

export const stampOf = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(':', '.');
const stamped = /^(.*) (\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d)( \d+)?(\.md)?$/s;
const nameIn = (place: string) => stamped.exec(basename(place))?.[1] ?? basename(place);

function timeIn(place: string): number | null {
  const at = Date.parse(
    `${stamped.exec(basename(place))?.[2]?.replace(/(\d\d)\.(\d\d)\.(\d\d)$/, '$1:$2:$3')}Z`,
  );
  return Number.isNaN(at) ? null : at;
}

export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export const modifiedAt = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
