import type { DiffHunk, NoteBefore, TimelineEntry, VersionAuthor } from '../../contract/versions';
import { escaped } from './what-waits';

/** What a restore to before an answer would do with one note. */
export function beforeLines({ path, change, tools, certain }: NoteBefore): string[] {
  const by = `${certain ? '' : 'while running '}${tools.join(', ')}${certain ? '' : ' (not certain: stays unless --only names it)'}`;
  switch (change.kind) {
    case 'text':
      return [columns(path, 'changed', by), ...change.diff.hunks.flatMap(hunkLines)];
    case 'moved':
      return [columns(path, `moved from ${change.back}`, by), ...change.diff.hunks.flatMap(hunkLines)];
    case 'created':
      return [columns(path, 'created: goes to the trash', by)];
    case 'deleted':
      return [columns(path, 'deleted: comes back', by)];
    case 'unknown':
      return [columns(path, 'changed: how it was before is not known', by)];
    case 'nothing':
      return [columns(path, 'as it was', by)];
  }
}

/** One difference as `diff -u` shows it, with the number it is chosen by. */
export function hunkLines({ line, rows, cut, others }: DiffHunk, at: number): string[] {
  const marks = { same: ' ', gone: '-', new: '+' } as const;
  return [
    `@@ ${at + 1} line ${line} @@${others ? ' with what others wrote since: stays unless --only names it' : ''}`,
    ...rows.map(({ kind, parts }) => escaped(`${marks[kind]}${parts.map(({ text }) => text).join('')}`)),
    ...(cut > 0 ? [`… ${cut} more lines`] : []),
  ];
}

/** Cells with a tab between; control characters in them are escaped. */
export const columns = (...cells: readonly string[]) => cells.map(escaped).join('\t');

/** One line of a note's timeline. */
export function inWords(entry: TimelineEntry): string {
  const what = () => {
    switch (entry.kind) {
      case 'text':
        return entry.added === null ? entry.cause : `${entry.cause} +${entry.added} -${entry.removed}`;
      case 'moved':
        return `moved from ${entry.from}`;
      case 'gone':
        return entry.how;
    }
  };
  return columns(entry.id, new Date(entry.at).toISOString(), who(entry.by), what());
}

/** Each author once. */
export const who = (by: readonly VersionAuthor[]): string =>
  [...new Set(by.map(nameOf))].join(', ') || 'unknown';

function nameOf(author: VersionAuthor): string {
  switch (author.kind) {
    case 'you':
      return 'you';
    case 'model':
      return author.end ? `${author.answer.model} (${author.end.replace('-', ' ')})` : author.answer.model;
    case 'tool':
      return `${author.certain ? '' : 'while running '}${author.server} · ${author.tool}`;
    case 'disk':
      return 'another program';
    case 'app':
      return 'the app';
  }
}
