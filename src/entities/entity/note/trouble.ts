import { isUtf8 } from 'node:buffer';
import { asLatin, type EntityType, entityTypes, idMeant, kinds, parseId, printId } from '../model/model';
import { idClaimed, mended } from './mend';
import { idOf, type NoteParts } from './read';
import { idNamed } from './taken';

/** Why a note that may be an entity is none. */
export type Trouble =
  /** `id`: the one that it would have. */
  | {
      readonly kind: 'unreadable';
      readonly problem: string;
      readonly id: string | null;
      readonly isMendable: boolean;
    }
  | { readonly kind: 'unclosed'; readonly id: string; readonly isMendable: boolean }
  | { readonly kind: 'too-large'; readonly id: string }
  /** `id`: the one that it seems to have had. */
  | {
      readonly kind: 'no-id';
      readonly type: EntityType;
      readonly id: string | null;
      /** It has one with more digits than are read. */
      readonly isTooHigh: boolean;
    };

/** What the reader did not take of a note, be it an entity or not. */
export interface Unread {
  /** Of its bytes. */
  readonly problem: string | null;
  /** Values that YAML takes for comments, by field. */
  readonly swallowed: ReadonlyMap<string, string>;
}

/** Null: nothing. */
export function unreadIn(bytes: Buffer, head: string): Unread | null {
  const problem = problemIn(bytes);
  const swallowed = new Map<string, string>();
  if (head.includes(' #')) {
    for (const [, key = '', value = ''] of head.matchAll(/^([A-Za-z_][\w-]*):[ \t]+(#[^\s#][^\r\n]*)/gm))
      swallowed.set(key, value.replace(/(?<![ \t])[ \t]+$/, ''));
  }
  return problem === null && swallowed.size === 0 ? null : { problem, swallowed };
}

/** Wide encodings begin with a mark, or have a zero in every other byte. */
function problemIn(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 8192);
  if (isUtf8(bytes) && !start.includes(0)) return null;
  const zeros = start.reduce((count, byte) => count + Number(byte === 0), 0);
  return isUtf8(bytes) && zeros * 4 < start.length
    ? 'It holds a NUL character, which no text has.'
    : 'It is not UTF-8 text.';
}

const folders = new RegExp(`/(?:${entityTypes.map((type) => kinds[type].plural).join('|')})/[^/]*$`);
const utf16 = new TextDecoder('utf-16le');
const printed = (id: ReturnType<typeof parseId>) => id && printId(id.type, id.number);

/** What is wrong with a note that is no entity; null for one that is not meant to be. */
export function troubleOf(note: {
  readonly path: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly parts: NoteParts;
  readonly whole: boolean;
  readonly problem: string | null;
  readonly named: ReturnType<typeof parseId>;
  readonly hasTimeOf: (id: string) => boolean;
}): Trouble | null {
  const { path, bytes, text, parts, whole } = note;
  const inFolder = folders.test(path);
  const named = printed(note.named);
  const isCalled = named !== null && (inFolder || note.hasTimeOf(named));
  const claimed = printed(idClaimed(text));
  const certain = claimed ?? (isCalled ? named : null);
  const looks = certain === null ? idNamed(text) : null;
  const id = certain ?? printed(looks && (looks.isTyped || inFolder) ? looks.id : null);
  const unreadable = (problem: string, isMendable: boolean): Trouble => ({
    kind: 'unreadable',
    problem,
    id,
    isMendable,
  });
  if (!whole) return id === null ? null : { kind: 'too-large', id };
  if (note.problem !== null) {
    const wide =
      claimed ?? printed(idClaimed(utf16.decode(bytes)) ?? idClaimed(utf16.decode(swapped(bytes))));
    return id === null && wide === null
      ? null
      : { kind: 'unreadable', problem: note.problem, id: wide ?? id, isMendable: false };
  }
  const mend = id === null && parts.problem === null ? null : mended(text);
  // Nothing but its own words give a note an id that only seems to be its own.
  const after = mend !== null && certain === null && id !== null && idOf(mend) !== id ? null : mend;
  if (parts.problem !== null) return unreadable(parts.problem, after !== null);
  if (parts.values === null) {
    if (id === null) return null;
    if (claimed === null && certain === null && after === null)
      return unreadable('It has no end (---), or begins with something else.', false);
    if (claimed !== null && /^\uFEFF?---[ \t]*\r?\n/.test(text))
      return { kind: 'unclosed', id, isMendable: after !== null };
    if (claimed !== null || after !== null)
      return unreadable('It does not begin with --- on the first line.', after !== null);
    return { kind: 'no-id', type: parseId(id)?.type ?? 'task', id, isTooHigh: false };
  }
  if (claimed !== null && after !== null && Object.keys(parts.values).length === 0)
    return unreadable('Another front matter, which holds nothing, comes before it.', true);
  const { type, status, title } = parts.values;
  // Without a type it is what its folder holds, if it stands as one of those does.
  const namedType = entityTypes.find((each) =>
    type === undefined
      ? title !== undefined &&
        path.includes(`/${kinds[each].plural}/`) &&
        kinds[each].statuses.some((word) => word === status)
      : each === type,
  );
  const written = idMeant(
    Object.entries(parts.values).find(([key]) => asLatin(key).toLowerCase() === 'id')?.[1],
  );
  // Other programs have their own documents and tasks.
  const isOurs = path.includes(`/${namedType && kinds[namedType].plural}/`) || parts.values.id !== undefined;
  const isTyped =
    namedType !== undefined && isOurs && (status !== undefined || title !== undefined || inFolder);
  if (!isTyped && !isCalled && !(written !== null && inFolder)) {
    return id !== null && inFolder ? unreadable('The id is not a field of its own.', after !== null) : null;
  }
  if (claimed !== null && after !== null) return unreadable('The id is not a field of its own.', true);
  const meant = written ?? id;
  const own = meant === null ? namedType : parseId(meant)?.type;
  const isTooHigh = /^\W*(?:M|S|T|DEC|DOC)-\d{10,}$/i.test(String(parts.values.id));
  return own === undefined ? null : { kind: 'no-id', type: own, id: meant, isTooHigh };
}

function swapped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes.subarray(0, Math.min(bytes.length, 8192) & ~1));
  return copy.swap16();
}
