import { revisionOf } from '../../base/hash';
import { plainEnds } from '../../base/line-ends';
import type { Document } from '../../store/batch/document';
import { writableFields } from '../model/model';
import { bodyOf } from '../note/note-text';
import { idOf, readEntity, readParts } from '../note/read';
import { printReading, readReading } from './reading';
import type { Seen, Span } from './seen';
import type { Versions } from './versions';

/** A place in a text, were all line ends of the text `\n`. */
export function plainPlace(text: string, place: number): number {
  return plainEnds(text.slice(0, place)).length;
}

export function wholeOf({ text }: Document): Span {
  return [0, plainPlace(text, text.length)];
}

/**
 * Every way in which the text of a note, or a part of it, is handed out comes by here: what was handed out of an entity's
 * note was handed out of the entity.
 */
export function handOut(
  document: Document,
  spans: readonly Span[],
  { seen, versions }: { readonly seen: Seen; readonly versions: Versions },
): void {
  const { path, text, hash } = document;
  seen.read(path, hash, spans);
  versions.keepText(hash, text);
  const { head, values } = readParts(text);
  const revision = revisionOf(text);
  const entity = readEntity({ path, modified: 0, revision }, values);
  if (!entity) return;
  const end = plainPlace(text, head.length);
  if (knows(document, [0, end], seen)) {
    versions.keep(entity);
    const fields = [...Object.keys(entity.values), ...writableFields(entity.type).keys(), 'archived'];
    seen.handed(entity.id, revision, fields);
  }
  if (knows(document, [end, wholeOf(document)[1]], seen)) {
    versions.keepBody(entity, bodyOf(text));
    seen.handed(entity.id, revision, ['body']);
  }
}

/**
 * The hash of a text as callers are given it: alone it says that they were handed all of the text, else the places follow
 * that they were. So it tells the same whoever presents it.
 */
export function printHash({ text, hash }: Document, spans: readonly Span[]): string {
  if (covers(text, [0, plainPlace(text, text.length)], spans)) return hash;
  return `${hash}:${spans.map(([from, to]) => `${from}-${to}`).join(',') || 'none'}`;
}

/** What a hash or a revision says that its caller was handed; null where it is of another text. */
export function spansOfHash(document: Document, printed: string): readonly Span[] | null {
  const { text, hash } = document;
  const [start = '', places] = printed.split(':', 2);
  if (start === hash) {
    if (places === undefined) return [wholeOf(document)];
    return [...places.matchAll(/(\d{1,15})-(\d{1,15})/g)].map(
      ([, from, to]) => [Number(from), Number(to)] as const,
    );
  }
  const { head, values } = readParts(text);
  const revision = revisionOf(text);
  const entity = readEntity({ path: document.path, modified: 0, revision }, values);
  const reading = readReading(entity?.id ?? '', printed);
  if (reading.revision !== revision) return null;
  // Fields are handed out as values: nobody knows by them how they are written, and what comments stand by them.
  return entity && reading.has('body') ? [[plainPlace(text, head.length), wholeOf(document)[1]]] : [];
}

/** Which fields a revision says its caller was handed, of a note that has the same front matter still. */
export function fieldsKept(
  before: Document | null,
  after: Document,
  printed: string | undefined,
): (field: string) => boolean {
  const id = before && idOf(before.text);
  if (!before || !id || printed === undefined) return () => false;
  const reading = readReading(id, printed);
  const isKept = readParts(before.text).head === readParts(after.text).head;
  return isKept && reading.revision === revisionOf(before.text) ? reading.has : () => false;
}

/** The revision of the entity that a note is, for who was handed these places of the note, and these fields; null for another note. */
export function revisionWith(
  document: Document,
  spans: readonly Span[],
  hasField: (field: string) => boolean,
): string | null {
  const { path, text } = document;
  const { head, values } = readParts(text);
  const entity = readEntity({ path, modified: 0, revision: revisionOf(text) }, values);
  if (!entity) return null;
  const end = plainPlace(text, head.length);
  const hasHead = covers(text, [0, end], spans);
  const hasBody = covers(text, [end, wholeOf(document)[1]], spans);
  return printReading(entity, (field) => (field === 'body' ? hasBody : hasHead || hasField(field)));
}

/** Whether all of a part of the text, as it is now, was handed out. */
export function knows(document: Document, part: Span, seen: Seen): boolean {
  return covers(document.text, part, handedOf(document, seen));
}

/** Blanks around a part tell nobody anything. */
function covers(text: string, [from, to]: Span, handed: readonly Span[]): boolean {
  const plain = plainEnds(text);
  const part = plain.slice(from, to);
  if (part.trim() === '') return true;
  const start = from + (part.length - part.trimStart().length);
  const end = from + part.trimEnd().length;
  const spans = [...handed].sort(([a], [b]) => a - b);
  let reached = start;
  for (const [begin, until] of spans)
    if (plain.slice(reached, begin).trim() === '') reached = Math.max(reached, until);
  return reached >= end;
}

/** The body that came with an entity is a part of the text of its note. */
export function handedOf(document: Document, seen: Seen): readonly Span[] {
  const { path, text, hash } = document;
  const reading = seen.textOf(path);
  const own = reading?.hash === hash ? reading.spans : [];
  const { head, values } = readParts(text);
  const revision = revisionOf(text);
  const id = readEntity({ path, modified: 0, revision }, values)?.id;
  const hasBody = id !== undefined && seen.of(id).get('body') === revision;
  return hasBody ? [...own, [plainPlace(text, head.length), wholeOf(document)[1]]] : own;
}
