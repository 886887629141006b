import type { WritingTool } from '../../../contract/chat';
import { createObservable, type Database } from '../../foundation';
import type { AnswersKept } from './answer-words';
import type { KeptLine, KeptLines } from './tool-lines';

export interface Row {
  note: string;
  vault: string;
  /** Where a tool wrote into it last: in its vault, and on the disk. */
  path: string;
  place: string;
  answers: string;
  tools: string;
  /** The tool that wrote more than is known line by line. */
  rest: string;
  /** Of such a note: what is the person’s all the same. */
  accepted: string;
}

export interface ToolWords {
  readonly lines: KeptLines;
  readonly rest: WritingTool | null;
  readonly accepted: ReadonlySet<string>;
}

/** What is kept of each note: one row, whoever wrote in it. */
export function createWordRows(database: Pick<Database, 'define' | 'table'>, vaultId: () => string | null) {
  // Of a time when each hand had a table.
  database.define('drop table if exists own_words');
  database.define('drop table if exists tool_words');
  const rows = database.table<Row>(`
    create table if not exists note_words (
      note text primary key, vault text not null default '', path text not null default '',
      place text not null default '', answers text not null default '[]', tools text not null,
      rest text not null default 'null', accepted text not null default '[]'
    ) strict
  `);
  const ofTools = createObservable(0);
  const cache = new WeakMap<Row, ToolWords>();

  const rowOf = (note: string): Row =>
    rows.get({ note }) ?? {
      ...{ note, vault: vaultId() ?? '', path: '', place: '', answers: '[]', tools: '[]' },
      ...{ rest: 'null', accepted: '[]' },
    };
  const answersIn = ({ answers }: Row): AnswersKept => JSON.parse(answers);
  function toolsIn(row: Row): ToolWords {
    const words = cache.get(row) ?? {
      lines: new Map<string, KeptLine>(JSON.parse(row.tools)),
      rest: JSON.parse(row.rest),
      accepted: new Set<string>(JSON.parse(row.accepted)),
    };
    cache.set(row, words);
    return words;
  }
  function putTools(row: Row, { lines, rest, accepted }: ToolWords): void {
    void rows.put({
      ...row,
      tools: JSON.stringify([...lines]),
      rest: JSON.stringify(rest),
      accepted: JSON.stringify([...accepted]),
    });
    ofTools.update((number) => number + 1);
  }

  return { rows, ofTools, rowOf, answersIn, toolsIn, putTools };
}
