import { createHash } from 'node:crypto';
import type { Database } from '../../foundation';

/** Which prompts of servers, and of the vault (no server), went into notes: there they stand as a person's words. */
export interface GivenPrompts {
  keep(server: string, name: string, texts: readonly string[]): void;
  /** Whose prompts stand in these texts. */
  within(texts: readonly string[]): { server: string; name: string }[];
  /** What of a prompt stands in them, as hashes of its lines. */
  linesWithin(texts: readonly string[], prompt: { readonly server: string; readonly name: string }): string[];
}

interface Row {
  server: string;
  name: string;
  /** Hashes: what a prompt said is nobody's to read here. */
  lines: string;
}

/** A line that is shorter may be anybody's. */
const shortest = 16;
const most = { prompts: 100, lines: 100 };

/** Of each line; its first sign may have been escaped where it came to stand. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= shortest)
    .map((line) => createHash('sha256').update(line.slice(1)).digest('hex').slice(0, 16));
}

export function createGivenPrompts(database: Pick<Database, 'table'>): GivenPrompts {
  const rows = database.table<Row>(`
    create table if not exists given_prompts (
      server text not null, name text not null, lines text not null, primary key (server, name)
    ) strict
  `);
  return {
    keep(server, name, texts) {
      const lines = texts.flatMap(linesOf);
      if (lines.length === 0) return;
      const before = rows.get({ server, name });
      const [oldest, ...others] = rows.all();
      if (!before && oldest && others.length + 1 >= most.prompts)
        void rows.remove({ server: oldest.server, name: oldest.name });
      const all = [...new Set([...lines, ...(before?.lines.split(' ') ?? [])])].slice(0, most.lines);
      void rows.put({ server, name, lines: all.join(' ') });
    },
    within(texts) {
      const prompts = rows.all();
      if (prompts.length === 0) return [];
      const here = new Set(texts.flatMap(linesOf));
      return prompts
        .filter(({ lines }) => lines.split(' ').some((line) => here.has(line)))
        .map(({ server, name }) => ({ server, name }));
    },
    linesWithin(texts, { server, name }) {
      const own = new Set(rows.get({ server, name })?.lines.split(' '));
      return [...new Set(texts.flatMap(linesOf))].filter((line) => own.has(line));
    },
  };
}
