import type { ToolLine, WritingTool } from '../../../contract/chat';
import { type Conversation, newInPersonsName, personsLines, wordsOfLine } from '../../../markdown';
import type { Database, Observable } from '../../foundation';
import { type KnownNotes, type ReadSource, withContent } from '../../tools';
import { cardHash, carriedByWords, isBlank, lineHash, withAnswer } from './answer-words';
import {
  hashesOf,
  hashOfWords,
  type KeptLines,
  linesFrom,
  linesOf,
  sentLines,
  withLines,
} from './tool-lines';
import { createWordRows, type Row } from './word-rows';

/** What the app wrote into a note: lines of answers, and the cards of calls, each as a whole. */
export interface Written {
  readonly lines?: readonly string[];
  readonly cards?: readonly string[];
  /** What had been read by then. */
  readonly carried: readonly ReadSource[];
}

/**
 * Which words of a note are not the person’s: answers and results that the app wrote into that very note, and lines of tools, which
 * stay theirs in a turn of the person. What another program put there, or moved there from another note, is none of the app’s.
 */
export interface WrittenWords {
  keep(path: string, written: Written): void;
  /**
   * `before`: what the note said; null: nobody knows, or it was not there. `after` null: more than anybody looks at. What is sent in the
   * person’s name after it and was not before is the tool’s, whatever it did for that.
   */
  toolWrote(
    path: string,
    tool: WritingTool,
    texts: { readonly before: string | null; readonly after: string | null },
  ): void;
  /** Lines of tools with these words are the person’s from now on. */
  accept(path: string, words: readonly string[]): void;
  /** Of the note that stands at the path now, and of its text. */
  of(path: string, text: string): WordsOfNote;
  /** Another number whenever lines of tools came or went. */
  readonly ofTools: Observable<number>;
}

export interface WordsOfNote {
  /** What had been read by the answer that wrote it; null: the app did not write it here. */
  readBy(words: { readonly line: string } | { readonly card: string }): readonly ReadSource[] | null;
  toolOf(line: string): WritingTool | null;
  /** What of the text tools wrote. */
  toolLines(): ToolLine[];
}

/** A card that stands in for this one says no less of where its arguments come from. */
export const cardReads = (own: WordsOfNote, card: string): readonly ReadSource[] =>
  own.readBy({ card }) ?? [withContent(unknownAnswer, card)];

const unknownAnswer: ReadSource = {
  ...{ kind: 'answer', name: '', places: [], account: null },
  reads: ['private', 'untrusted'],
};

/** Where notes lie on the disk: a folder can be a vault, and stand in another one that is a vault as well. */
interface NotePlaces {
  /** Of the open vault, without links on the way. */
  placeOf(path: string): string | null;
  fileAt(path: string): string | null;
  /** Of whatever vault; null: it is over. */
  lastSeen(note: string): { readonly path: string; readonly file: string } | null;
}

const plain = (text: string) => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** One closure, since what either hand wrote in a note is one row, kept and forgotten together. */
export function createWrittenWords({
  database,
  identity,
  places,
  vaultId,
  parse,
}: {
  readonly database: Pick<Database, 'define' | 'table'>;
  readonly identity: Pick<KnownNotes, 'at' | 'name' | 'onOver'>;
  readonly places: NotePlaces;
  /** Of the open vault. */
  readonly vaultId: () => string | null;
  readonly parse: (text: string) => Conversation;
}): WrittenWords {
  const { rows, ofTools, rowOf, answersIn, toolsIn, putTools } = createWordRows(database, vaultId);

  identity.onOver((note) => {
    const row = rows.get({ note });
    if (!row) return;
    const lines = sentLines(toolsIn(row).lines);
    if (lines.size === 0) void rows.remove({ note });
    else putTools({ ...row, answers: '[]' }, { lines, rest: null, accepted: new Set() });
  });

  /** Rows of notes of other vaults that are this very file. */
  function sameFile(path: string): Row[] {
    const vault = vaultId();
    const others = rows.all().filter((row) => row.vault !== vault);
    if (vault === null || others.length === 0) return [];
    const place = places.placeOf(path);
    const file = places.fileAt(path);
    return others.filter((row) => {
      const seen = places.lastSeen(row.note);
      if (seen !== null && seen.file === file) return true;
      return row.place === place && (seen === null || seen.path === row.path);
    });
  }

  /** What tools wrote into it while another vault was open is said of the note of this vault as well, wherever that goes from now on. */
  function rowHere(path: string): Row {
    const own = rowOf(identity.at(path) ?? '');
    const others = sameFile(path).map(toolsIn);
    const { lines, rest, accepted } = toolsIn(own);
    const missing = others.flatMap((other) => [...other.lines].filter(([hash]) => !lines.has(hash)));
    const whole = rest === null ? others.find((other) => other.rest !== null) : undefined;
    const note = missing.length === 0 && !whole ? null : identity.name(path);
    if (note === null) return own;
    const joined = {
      lines: new Map([...missing, ...lines]),
      rest: rest ?? whole?.rest ?? null,
      accepted: whole?.accepted ?? accepted,
    };
    putTools({ ...rowOf(note), path, place: places.placeOf(path) ?? '' }, joined);
    return rowOf(note);
  }

  /** Of other notes, of whatever vault and those that are over among them, by the hash of what stands here. */
  function fromElsewhere(note: string, path: string, text: string): KeptLines {
    const writers = rows.all().filter((row) => row.note !== note && toolsIn(row).lines.size > 0);
    if (writers.length === 0) return new Map();
    const here = hashesOf(text);
    const vault = vaultId();
    const isSame = (row: Row) => row.vault === vault && row.path === path;
    return new Map(
      writers.flatMap((row) => [...linesFrom(toolsIn(row).lines, here, isSame(row) ? 'same' : 'another')]),
    );
  }

  return {
    ofTools,
    keep(path, { lines = [], cards = [], carried }) {
      const words = [...lines.filter((line) => !isBlank(line)).map(lineHash), ...cards.map(cardHash)];
      const note = words.length === 0 ? null : identity.name(path);
      if (note === null) return;
      const row = rowOf(note);
      void rows.put({ ...row, answers: JSON.stringify(withAnswer(answersIn(row), { carried, words })) });
    },
    toolWrote(path, { server, tool }, { before, after }) {
      const vault = vaultId();
      if (vault === null) return;
      const note = identity.name(path);
      // It went on already: what it said is known in the vault.
      const place = places.placeOf(path) ?? '';
      const row = { ...rowOf(note ?? `${vault} ${path}`), vault, path, place };
      const words = toolsIn(row);
      const personsLinesOf = (text: string) => personsLines(plain(text), parse(plain(text)));
      const fresh =
        after === null
          ? []
          : newInPersonsName(before === null ? [] : personsLinesOf(before), personsLinesOf(after));
      const lines =
        after === null ? null : withLines(words.lines, { server, tool }, { before, after }, fresh);
      const entries = lines && note === null ? sentLines(lines) : lines;
      if (entries?.size !== 0)
        putTools(row, { ...words, ...(entries ? { lines: entries } : { rest: { server, tool } }) });
    },
    accept(path, words) {
      const note = identity.at(path);
      if (note === null) return;
      const hashes = words.map(hashOfWords);
      const here = new Set([note, ...sameFile(path).map((row) => row.note)]);
      for (const row of new Set([rowOf(note), ...rows.all()])) {
        const { lines, rest, accepted } = toolsIn(row);
        const isHere = here.has(row.note) && rest !== null;
        if (!isHere && !hashes.some((hash) => lines.has(hash))) continue;
        const left = new Map([...lines].filter(([hash]) => !hashes.includes(hash)));
        putTools(row, { lines: left, rest, accepted: new Set([...accepted, ...(isHere ? hashes : [])]) });
      }
    },
    of(path, text) {
      const row = rowHere(path);
      const byWords = carriedByWords(answersIn(row));
      const { lines, rest, accepted } = toolsIn(row);
      const elsewhere = fromElsewhere(row.note, path, text);
      const isTools = lines.size + elsewhere.size > 0 || rest !== null;
      const byHash = (hash: string): WritingTool | null =>
        lines.get(hash) ?? elsewhere.get(hash) ?? (accepted.has(hash) ? null : rest);
      const toolOfWords = (words: string) => {
        const by = isTools && words !== '' ? byHash(hashOfWords(words)) : null;
        return by && { server: by.server, tool: by.tool };
      };
      return {
        readBy: (words) => {
          if ('card' in words) return byWords.get(cardHash(words.card)) ?? null;
          return isBlank(words.line) ? [] : (byWords.get(lineHash(words.line)) ?? null);
        },
        toolOf: (line) => toolOfWords(wordsOfLine(line)),
        toolLines: () =>
          (isTools ? [...new Set(linesOf(text).map(wordsOfLine))] : []).flatMap((words) => {
            const by = toolOfWords(words);
            return by ? { words, ...by } : [];
          }),
      };
    },
  };
}
