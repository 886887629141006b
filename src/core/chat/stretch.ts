import { Text } from '@codemirror/state';
import { printForeignText, type TagNames } from '../../markdown';
import { diffTexts, type NoteSession } from '../notes';

/** A stretch of whole lines that one hand writes anew. What others typed into it meanwhile stays, behind it. */
export interface Stretch {
  /** The same hand has written more, up to this offset. */
  grew(more: string, to: number): void;
  replace(next: string): void;
  release(): void;
}

/** `written` stands at `from`; `edit` makes the change. */
export function holdStretch({
  session,
  tags,
  from,
  written,
  edit,
}: {
  session: NoteSession;
  tags: TagNames;
  from: number;
  written: string;
  edit: (change: { from: number; to: number; insert: string }) => void;
}): Stretch {
  let start = session.anchor(from, 1);
  let end = session.anchor(from + written.length, -1);
  let last = written;
  const indent = lineUpTo(session, from);
  const release = () => {
    start.release();
    end.release();
  };
  return {
    release,
    grew(more, to) {
      last += more;
      end.release();
      end = session.anchor(to, -1);
    },
    replace(next) {
      const [at, to] = [start.position(), end.position()];
      const current = session.slice(at, to);
      const typed = current === last ? '' : typedInto(last, current);
      const above = lineUpTo(session, at) === indent ? '' : `\n\n${indent}`;
      const isEndOfLine = isOver(session, to);
      last = next;
      const isApart = above === '' && isEndOfLine;
      if (current === next && isApart) return;
      const before = () => `${session.slice(0, at)}${above}${next}\n\n`;
      const behind = typed === '' ? '' : `\n\n${printForeignText(typed, tags, before())}`;
      edit({ from: at, to, insert: above + next + behind + (isEndOfLine ? '' : '\n\n') });
      if (typed === '' && isApart) return;
      release();
      start = session.anchor(at + above.length, 1);
      end = session.anchor(at + above.length + next.length, -1);
    },
  };
}

/** More of it is not looked at. */
const longestLine = 1_000;

function isOver(session: NoteSession, at: number): boolean {
  return (
    ['', '\n'].includes(session.slice(at, at + 1)) ||
    /^[ \t]*(?:\n|$)/.test(session.slice(at, at + longestLine))
  );
}

function lineUpTo(session: NoteSession, at: number): string {
  if (at === 0 || session.slice(at - 1, at) === '\n') return '';
  const above = session.slice(Math.max(0, at - longestLine), at);
  return above.slice(above.lastIndexOf('\n') + 1);
}

/** What a stretch has beside what was written there, without the marks of a callout; what can't be told apart speaks for nobody. */
function typedInto(written: string, current: string): string {
  const typed: string[] = [];
  const [before, after] = [written, current].map((text) => Text.of(text.split('\n'))) as [Text, Text];
  diffTexts(before, after).iterChanges((_from, _to, _fromNow, _toNow, inserted) => {
    typed.push(
      inserted
        .toString()
        .replace(/^[ \t]*>[ \t]?/gm, '')
        .trim(),
    );
  });
  return typed.filter((text) => text !== '').join('\n');
}
