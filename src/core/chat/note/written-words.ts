import { createHash } from 'node:crypto';
import type { ToolLine, WritingTool } from '../../../contract/chat';
import { hasWords, wordsOfLine } from '../../../markdown';
import { createObservable, type Database, type Observable } from '../../foundation';
import type { KnownNotes } from '../../tools';

/** What the app wrote into a note: lines of answers, and the cards of calls, each as a whole. */
export interface Written {
  readonly lines?: readonly string[];
  readonly cards?: readonly string[];
}

/**
 * Which words of a note are not the person’s: answers and results that the app wrote into that very note, and lines of tools, which
 * stay theirs in a turn of the person. What another program put there, or moved there from another note, is none of the app’s.
 */
export interface WrittenWords {
  keep(path: string, written: Written): void;
  /** `before`: what the note said; null: nobody knows, or it was not there. */
  toolWrote(
    path: string,
    tool: WritingTool,
    texts: { readonly before: string | null; readonly after: string },
  ): void;
  /** These lines of tools are the person’s from now on. */
  accept(path: string, lines: readonly string[]): void;
  /** Of the note that stands at the path now. */
  of(path: string): WordsOfNote;
  /** Another number whenever lines of tools came or went. */
  readonly ofTools: Observable<number>;
}

export interface WordsOfNote {
  hasLine(line: string): boolean;
  hasCard(card: string): boolean;
  toolOf(line: string): WritingTool | null;
  /** What of a text tools wrote. */
  toolLines(text: string): ToolLine[];
}

interface Row {
  note: string;
  /** Hashes of what the app wrote, the newest first. */
  own: string;
  /** By the hash of a line, the tool that wrote it. */
  tools: string;
}

/** Of one note: what the app wrote longer ago counts as a stranger’s. */
const mostOwn = 20_000;
/** Of one note: beyond that only those of tools are kept that stand in it. */
const mostOfTools = 5_000;

const hashOf = (kind: 'line' | 'card' | 'tool', text: string) =>
  createHash('sha256').update(`${kind}\n${text}`).digest('base64url').slice(0, 20);

/** How far in it stands, and the blanks at its ends, are no words. */
const plain = (card: string) =>
  card
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

const lineHash = (line: string) => hashOf('line', line.trim());
const cardHash = (card: string) => hashOf('card', plain(card));
const toolHash = (line: string) => hashOf('tool', wordsOfLine(line));

const linesOf = (text: string) => text.split(/\r\n?|\n/);
const isBlank = (line: string) => line.trim() === '';

export function createWrittenWords({
  database,
  identity,
}: {
  readonly database: Pick<Database, 'define' | 'table'>;
  readonly identity: Pick<KnownNotes, 'at' | 'name' | 'onOver'>;
}): WrittenWords {
  // Of a time when each hand had a table.
  database.define('drop table if exists own_words');
  database.define('drop table if exists tool_words');
  const rows = database.table<Row>(
    'create table if not exists note_words (note text primary key, own text not null, tools text not null) strict',
  );
  const ofTools = createObservable(0);
  const tell = () => ofTools.update((number) => number + 1);
  identity.onOver((note) => {
    void rows.remove({ note });
    tell();
  });

  const rowOf = (note: string): Row => rows.get({ note }) ?? { note, own: '', tools: '[]' };
  const toolsIn = ({ tools }: Row) => new Map<string, WritingTool>(JSON.parse(tools));
  const putTools = (row: Row, tools: ReadonlyMap<string, WritingTool>) => {
    void rows.put({ ...row, tools: JSON.stringify([...tools]) });
    tell();
  };

  return {
    ofTools,
    keep(path, { lines = [], cards = [] }) {
      const fresh = [...lines.filter((line) => !isBlank(line)).map(lineHash), ...cards.map(cardHash)];
      const note = fresh.length === 0 ? null : identity.name(path);
      if (note === null) return;
      const row = rowOf(note);
      const own = new Set([...fresh, ...row.own.split(' ')]);
      void rows.put({ ...row, own: [...own].slice(0, mostOwn).join(' ') });
    },
    toolWrote(path, { server, tool }, { before, after }) {
      const former = new Set(linesOf(before ?? '').map(wordsOfLine));
      const fresh = linesOf(after).filter((line) => hasWords(line) && !former.has(wordsOfLine(line)));
      const note = fresh.length === 0 ? null : identity.name(path);
      if (note === null) return;
      const row = rowOf(note);
      const tools = toolsIn(row);
      for (const line of fresh) tools.set(toolHash(line), { server, tool });
      putTools(row, tools.size > mostOfTools ? standing(tools, after) : tools);
    },
    accept(path, lines) {
      const note = identity.at(path);
      if (note === null) return;
      const row = rowOf(note);
      const tools = toolsIn(row);
      for (const line of lines) tools.delete(toolHash(line));
      putTools(row, tools);
    },
    of(path) {
      const row = rowOf(identity.at(path) ?? '');
      const own = new Set(row.own.split(' '));
      const tools = toolsIn(row);
      const toolOf = (line: string) => (tools.size > 0 && tools.get(toolHash(line))) || null;
      return {
        hasLine: (line) => isBlank(line) || own.has(lineHash(line)),
        hasCard: (card) => own.has(cardHash(card)),
        toolOf,
        toolLines: (text) =>
          (tools.size > 0 ? [...new Set(linesOf(text).map(wordsOfLine))] : []).flatMap((line) => {
            const by = toolOf(line);
            return by ? { words: line, ...by } : [];
          }),
      };
    },
  };
}

/** A tool that writes more and more does not make the person’s what it wrote first and what still stands there. */
function standing(tools: ReadonlyMap<string, WritingTool>, text: string): ReadonlyMap<string, WritingTool> {
  const hashes = new Set(linesOf(text).map(toolHash));
  return new Map([...tools].filter(([hash]) => hashes.has(hash)));
}
