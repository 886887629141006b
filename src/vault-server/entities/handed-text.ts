import type { Document } from '../files/document';
import { revisionOf } from '../files/hash';
import { plainEnds } from '../line-ends';
import { writableFields } from './model';
import { bodyOf } from './note-text';
import { readEntity, readParts } from './read';
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

/** Whether all of a part of the text, as it is now, was handed out; blanks around it tell nobody anything. */
export function knows(document: Document, [from, to]: Span, seen: Seen): boolean {
  const plain = plainEnds(document.text);
  const part = plain.slice(from, to);
  if (part.trim() === '') return true;
  const start = from + (part.length - part.trimStart().length);
  const end = from + part.trimEnd().length;
  const spans = [...spansOf(document, seen)].sort(([a], [b]) => a - b);
  let known = start;
  for (const [begin, until] of spans)
    if (plain.slice(known, begin).trim() === '') known = Math.max(known, until);
  return known >= end;
}

/** The body that came with an entity is a part of the text of its note. */
function spansOf(document: Document, seen: Seen): readonly Span[] {
  const { path, text, hash } = document;
  const read = seen.textOf(path);
  const own = read?.hash === hash ? read.spans : [];
  const { head, values } = readParts(text);
  const revision = revisionOf(text);
  const id = readEntity({ path, modified: 0, revision }, values)?.id;
  const hasBody = id !== undefined && seen.of(id).get('body') === revision;
  return hasBody ? [...own, [plainPlace(text, head.length), wholeOf(document)[1]]] : own;
}
