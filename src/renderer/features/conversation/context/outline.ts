import { parseConversation, type ResultState, type Role, type TagNames } from '../../../../markdown';

interface HeadingEntry {
  readonly from: number;
  readonly level: number;
  readonly role: Role | null;
  readonly text: string;
}

interface CallEntry {
  readonly from: number;
  readonly server: string;
  readonly tool: string;
  readonly state: ResultState | 'not-run';
  readonly ms: number | null;
}

export interface Outline {
  readonly headings: readonly HeadingEntry[];
  readonly calls: readonly CallEntry[];
}

/** Turns with the headings inside them, and every tool call, in the order of the note. */
export function outlineOf(text: string, tags: TagNames, servers: readonly string[]): Outline {
  const { turns, blocks } = parseConversation(text, tags, servers);
  const headings: HeadingEntry[] = [];
  const calls: CallEntry[] = blocks.map(({ from, server, tool, result }) => ({
    from,
    server,
    tool,
    state: result?.value.state ?? 'not-run',
    ms: result?.value.ms ?? null,
  }));
  const addFrom = (from: number, to: number) => {
    for (const heading of headingsIn(text, from, to)) headings.push(heading);
  };
  addFrom(0, turns[0]?.from ?? text.length);
  for (const turn of turns) {
    const content = text.slice(turn.contentFrom, turn.to).trimStart();
    const first = content.split('\n', 1)[0]?.replace(/^#+ /, '').slice(0, 80) ?? '';
    const words = /^[>`]/.test(first) || first === '' ? turn.tag : first;
    headings.push({ from: turn.from, level: 1, role: turn.role, text: words });
    for (const part of turn.parts) {
      if (part.kind === 'text') addFrom(part.from, part.to);
      if (part.kind !== 'call') continue;
      const { server, tool, result } = part.call;
      calls.push({ from: part.from, server, tool, state: result.state, ms: result.ms });
    }
  }
  return { headings, calls: calls.sort((a, b) => a.from - b.from) };
}

function headingsIn(text: string, from: number, to: number): HeadingEntry[] {
  const headings: HeadingEntry[] = [];
  let fenced = false;
  let at = from;
  for (const line of text.slice(from, to).split('\n')) {
    if (/^ {0,3}(```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^(#{1,6}) +([^ ].*)$/.exec(line);
    if (heading)
      headings.push({ from: at, level: 1 + (heading[1]?.length ?? 1), role: null, text: heading[2] ?? '' });
    at += line.length + 1;
  }
  return headings;
}
