import { createHash } from 'node:crypto';
import type { Database } from '../../foundation';
import type { KnownNotes } from '../../tools';

/** What the app wrote into a note: lines of answers, and the cards of calls, each as a whole. */
export interface Written {
  readonly lines?: readonly string[];
  readonly cards?: readonly string[];
}

/**
 * Which words of a note's answers and results the app wrote into that very note. What another program or a tool put there, or moved
 * there from another note, is none of them.
 */
export interface OwnWords {
  keep(path: string, written: Written): void;
  /** Of the note that stands at the path now. */
  of(path: string): { hasLine(line: string): boolean; hasCard(card: string): boolean };
}

interface Row {
  note: string;
  /** Hashes, the newest first. */
  words: string;
}

const mostWords = 20_000;

const hashOf = (kind: 'line' | 'card', text: string) =>
  createHash('sha256').update(`${kind}\n${text}`).digest('base64url').slice(0, 20);

/** How far in it stands, and the blanks at its ends, are no words. */
const plain = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

const lineHash = (line: string) => hashOf('line', line.trim());
const cardHash = (card: string) => hashOf('card', plain(card));

const isBlank = (line: string) => line.trim() === '';

export function createOwnWords({
  database,
  identity,
}: {
  readonly database: Pick<Database, 'table'>;
  readonly identity: Pick<KnownNotes, 'at' | 'name' | 'onOver'>;
}): OwnWords {
  const rows = database.table<Row>(
    'create table if not exists own_words (note text primary key, words text not null) strict',
  );
  identity.onOver((note) => void rows.remove({ note }));
  return {
    keep(path, { lines = [], cards = [] }) {
      const fresh = [...lines.filter((line) => !isBlank(line)).map(lineHash), ...cards.map(cardHash)];
      const note = fresh.length === 0 ? null : identity.name(path);
      if (note === null) return;
      const before = rows.get({ note })?.words.split(' ') ?? [];
      const words = [...new Set([...fresh, ...before])].slice(0, mostWords).join(' ');
      void rows.put({ note, words });
    },
    of(path) {
      const note = identity.at(path);
      const words = new Set(note === null ? [] : rows.get({ note })?.words.split(' '));
      return {
        hasLine: (line) => isBlank(line) || words.has(lineHash(line)),
        hasCard: (card) => words.has(cardHash(card)),
      };
    },
  };
}
