import { AppError } from '../contract/errors';
import { YamlBeyond } from './bounded-yaml';
import { findFrontMatter } from './scan';
import { isMapping } from './tool-calls/body';
import { dataOf } from './yaml-data';
import { printYaml, type WrittenEntry, withKey, writtenEntry } from './yaml-key';

export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
  readonly from: number;
  readonly to: number;
}

/** Front matter as data; `problem` where it is not a YAML mapping. Null where the note has none. */
export function readFrontMatter(text: string): FrontMatter | null {
  const range = findFrontMatter(text);
  if (!range) return null;
  const place = { from: range.from, to: Math.min(range.to + 1, text.length) };
  try {
    const value = dataOf(sourceOf(text, range));
    if (value === null || value === undefined) return { values: {}, problem: null, ...place };
    if (isMapping(value)) return { values: value, problem: null, ...place };
    return { values: {}, problem: 'The front matter is not a list of `name: value` lines.', ...place };
  } catch (error) {
    return { values: {}, problem: error instanceof Error ? error.message : String(error), ...place };
  }
}

/**
 * Changes keys of the front matter, everything else byte for byte as it was, comments included; undefined removes a
 * key. Front matter that can't be read, or not be edited so, is left alone with `request.invalid`.
 */
export function editFrontMatter(text: string, changes: Readonly<Record<string, unknown>>): string {
  const range = findFrontMatter(text);
  const present = readFrontMatter(text);
  const entries = Object.entries(changes);
  if (!range || !present) {
    const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    return Object.keys(set).length === 0 ? text : `---\n${printYaml(set)}---\n${text}`;
  }
  if (present.problem !== null) {
    throw new AppError('request.invalid', 'The front matter of this note is not valid YAML.', {
      issues: [present.problem],
    });
  }
  const before = sourceOf(text, range);
  const start = text.indexOf('\n', range.from) + 1;
  let source = before;
  for (const [key, value] of entries) {
    const edited = withinBounds(() => withKey(source, key, value));
    if (edited === null) {
      throw new AppError(
        'request.invalid',
        `“${key}” can’t be written without changing what stands beside it.`,
        {
          issues: ['The front matter is of a rare kind. Change it by hand.'],
        },
      );
    }
    source = edited;
  }
  return text.slice(0, start) + source + text.slice(start + before.length);
}

/** A key of the front matter as it is written. */
export function writtenIn(text: string, key: string): WrittenEntry | null {
  const range = findFrontMatter(text);
  return range && withinBounds(() => writtenEntry(sourceOf(text, range), key));
}

function withinBounds<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof YamlBeyond)) throw error;
    throw new AppError('request.invalid', 'The front matter of this note would be too large or too deep.', {
      issues: [error.message],
    });
  }
}

/** The lines between the marks, the last line break included. */
function sourceOf(text: string, { from, to }: { from: number; to: number }): string {
  const start = text.indexOf('\n', from) + 1;
  return text.slice(start, text.lastIndexOf('\n', to - 1) + 1);
}
