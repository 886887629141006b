import { isAppError } from '../../../contract/errors';
import { editFrontMatter, writtenIn } from '../../../markdown';
import { ToolFailure } from '../../base/failures';
import { plainEnds, withPlainEnds } from '../../base/line-ends';
import { readParts } from './read';

/**
 * The note with other values in its front matter (undefined removes a key), every other byte as it was: mixed line
 * ends and a byte order mark, too.
 */
export function withValues(path: string, text: string, changes: Readonly<Record<string, unknown>>): string {
  const { head, body, problem } = readParts(text);
  if (problem !== null) {
    throw new ToolFailure('validation', `The front matter of “${path}” can’t be read.`, { hint: problem });
  }
  const mark = head.startsWith('\uFEFF') ? '\uFEFF' : '';
  let lines = head.slice(mark.length);
  for (const [key, value] of Object.entries(changes)) {
    const { plain, after } = withPlainEnds(lines);
    lines = after([{ from: 0, to: plain.length, text: withKey(path, plain, key, value) }]);
  }
  return mark + lines + body;
}

function withKey(path: string, lines: string, key: string, value: unknown): string {
  try {
    return editFrontMatter(lines, { [key]: value });
  } catch (error) {
    if (!isAppError(error, 'request.invalid')) throw error;
    const hint = `The front matter of “${path}” is of a rare kind. Change it with update_doc and edits.`;
    throw new ToolFailure('validation', error.message, { field: key, hint });
  }
}

/** What stands in a field, as it is written; `entry` with its key. */
export function writtenField(
  text: string,
  field: string,
): { readonly entry: string; readonly value: string } {
  const { head } = readParts(text);
  return writtenIn(plainEnds(head.replace(/^\uFEFF/, '')), field) ?? { entry: '', value: '' };
}

/** The note with lines at its end, which stood elsewhere in it. */
export function withLinesBelow(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = readParts(text).head.includes('\r\n') ? '\r\n' : '\n';
  const below = lines.map((line) => `${end}${line.replaceAll('\n', end)}${end}`).join('');
  return `${text}${text.endsWith('\n') ? '' : end}${below}`;
}

/** The note with another body; its front matter stays as it is, and so do the blank lines around the body. */
export function withBody(text: string, body: string): string {
  const { head } = readParts(text);
  const { plain, after } = withPlainEnds(text);
  const start = plainEnds(head).length;
  const old = plain.slice(start);
  const present = old.trimEnd().replace(/^\n+/, '');
  const lines = bodyLines(body);
  if (present === '' || lines === '') return after([{ from: start, to: plain.length, text: lines }]);
  const to = start + old.trimEnd().length;
  return after([{ from: to - present.length, to, text: lines.slice(1, -1) }]);
}

export function newNote(values: Readonly<Record<string, unknown>>, body: string): string {
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return editFrontMatter('', set) + bodyLines(body);
}

/** The body as callers see it: without the blank lines around it. */
export function bodyOf(text: string): string {
  return plainEnds(readParts(text).body).replace(/^\n+/, '').trimEnd();
}

function bodyLines(body: string): string {
  const trimmed = plainEnds(body).replace(/^\n+/, '').trimEnd();
  return trimmed === '' ? '' : `\n${trimmed}\n`;
}
