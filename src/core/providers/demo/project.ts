import { noteLink, withoutFrontMatter } from './gist';
import { errorWords, type ListedNote, listedNotes, notesRead } from './results';
import { callsNamed, type DoneCall, type Step, type Turn, toolNamed } from './turn';
import { hits, keywords } from './words';

const asksAboutProject =
  /\b(open|to-?dos?|tasks?|decisions?|decided|summari[sz]e|summary|overview|project|status|progress|next|blocked|pending|plan|left to do|find|search|notes?)\b|进展|待办|总结|概览|未完成|项目|决定|查找|搜索|笔记/i;
/** Words of a path that promise an overview. */
const telling =
  /overview|project|plan|roadmap|todo|task|decision|milestone|status|backlog|readme|meeting|概览|计划|待办/i;
const mostRead = 3;

/** "What is still open in the project?": lists the notes, reads the most fitting ones at once, answers in their own lines. */
export function projectAnswer(turn: Turn): Step | null {
  const list = toolNamed(turn, 'list_files');
  const reader = toolNamed(turn, 'read_docs');
  if (!list || !reader || !asksAboutProject.test(turn.question)) return null;

  const listed = callsNamed(turn, 'list_files').at(-1);
  if (!listed)
    return { text: 'I’ll look which notes there are.', calls: [{ name: list.name, arguments: {} }] };
  if (listed.isError) return { text: `I could not list the notes: ${errorWords(listed.result)}`, calls: [] };

  const reads = callsNamed(turn, 'read_docs');
  const chosen = mostFitting(turn.question, listedNotes(listed.result));
  if (chosen.length === 0) return { text: 'There are no notes here that I could read.', calls: [] };
  if (reads.length === 0) {
    const names = chosen.map(({ path }) => noteLink(path)).join(', ');
    return {
      text: `\nThese look most like it: ${names}. I’ll read them.`,
      calls: chosen.map(({ path }) => ({ name: reader.name, arguments: { paths: [path] } })),
    };
  }
  return { text: summary(turn.question, reads), calls: [] };
}

function mostFitting(question: string, notes: readonly ListedNote[]): ListedNote[] {
  const words = keywords(question);
  return notes
    .map((note) => ({
      note,
      score:
        hits(words, note.path) * 2 +
        hits(words, note.title) * 3 +
        (telling.test(note.path) ? 2 : 0) -
        (/conversation|chat|archive|template|welcome|tour/i.test(note.path) ? 6 : 0),
    }))
    .sort((a, b) => b.score - a.score || (a.note.path < b.note.path ? -1 : 1))
    .slice(0, mostRead)
    .map(({ note }) => note);
}

function summary(question: string, reads: readonly DoneCall[]): string {
  const words = keywords(question);
  const open: string[] = [];
  const decisions: string[] = [];
  const lines: string[] = [];
  const failures: string[] = [];
  const sources: string[] = [];

  for (const call of reads) {
    const wish = Array.isArray(call.arguments.paths) ? String(call.arguments.paths[0]) : '';
    if (call.isError) {
      failures.push(`I could not read ${wish}: ${errorWords(call.result)}`);
      continue;
    }
    for (const { path, text } of notesRead(call.result)) {
      const link = noteLink(path ?? wish);
      sources.push(link);
      if (/^status:\s*(pending|proposed|open)\b/im.test(text)) decisions.push(`- ${link} is still pending.`);
      for (const line of withoutFrontMatter(text)
        .split(/\r?\n/)
        .map((raw) => raw.trim())) {
        if (/^[-*] \[ \] /.test(line)) open.push(`${line.replace(/^\*/, '-')} (${link})`);
        else if (/\b(decided|decision|agreed|pending|still open)\b|决定/i.test(line) && !line.startsWith('#'))
          decisions.push(`- ${line.replace(/^[-*>] (\[x\] )?/, '')} (${link})`);
        else if (!line.startsWith('#') && hits(words, line) >= Math.min(2, words.length))
          lines.push(`- ${line.replace(/^[-*>] /, '')} (${link})`);
      }
    }
  }
  const part = (title: string, items: readonly string[], most: number) =>
    items.length > 0 ? [`${title}\n\n${[...new Set(items)].slice(0, most).join('\n')}`] : [];
  const parts = [
    ...part('Still open:', open, 10),
    ...part('On decisions, the notes say:', decisions, 6),
    ...(open.length + decisions.length === 0 || /\b(find|search|about)\b/i.test(question)
      ? part('Lines about it:', lines, 8)
      : []),
    ...failures,
  ];
  if (sources.length === 0) return failures.join('\n\n');
  const sourcesLine = `I read ${[...new Set(sources)].join(', ')}.`;
  return parts.length === 0
    ? `${sourcesLine} No open task and no decision is written there.`
    : `\n${parts.join('\n\n')}\n\n${sourcesLine}`;
}
