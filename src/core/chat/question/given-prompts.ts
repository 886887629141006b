import type { Database } from '../../foundation';

/** What servers' prompts said that went into notes: there it stands as a person's words. */
export interface GivenPrompts {
  keep(server: string, name: string, texts: readonly string[]): void;
  /** Whose prompts stand in these texts. */
  within(texts: readonly string[]): { server: string; name: string }[];
}

interface Row {
  server: string;
  name: string;
  lines: string;
}

/** A line that is shorter may be anybody's. */
const shortest = 16;
const most = { prompts: 100, lines: 20, line: 200 };

export function createGivenPrompts(database: Pick<Database, 'table'>): GivenPrompts {
  const rows = database.table<Row>(`
    create table if not exists given_prompts (
      server text not null, name text not null, lines text not null, primary key (server, name)
    ) strict
  `);
  return {
    keep(server, name, texts) {
      const before = rows.get({ server, name });
      // What is written around them in the note may change their ends.
      const lines = texts
        .flatMap((text) => text.split('\n'))
        .map((line) => line.trim().slice(1, most.line))
        .filter((line) => line.length >= shortest)
        .slice(0, most.lines);
      const all = [...new Set([...lines, ...(before?.lines.split('\n') ?? [])])].slice(0, 2 * most.lines);
      if (lines.length === 0) return;
      const [oldest] = rows.all();
      if (!before && oldest && rows.all().length >= most.prompts)
        void rows.remove({ server: oldest.server, name: oldest.name });
      void rows.put({ server, name, lines: all.join('\n') });
    },
    within: (texts) =>
      rows
        .all()
        .filter(({ lines }) => lines.split('\n').some((line) => texts.some((text) => text.includes(line))))
        .map(({ server, name }) => ({ server, name })),
  };
}
