import { noteLink } from './gist';
import { errorWords, listedNotes } from './results';
import { callsNamed, type Step, type Turn, toolNamed } from './turn';

const listing =
  /\b(list|which|how many)\b[^.?!\n]{0,40}\b(notes?|files?|documents?|pages?)\b|\b(what|show( me)?( all| my| the)*) (notes|files|documents|pages)\b|列出|有哪些(笔记|文件)/i;
const workspaces = /\bworkspaces?\b|工作区/i;

/** "List my notes", "which workspaces are there?" */
export function listNotes(turn: Turn): Step | null {
  const spaces = toolNamed(turn, 'list_workspaces');
  if (spaces && workspaces.test(turn.question)) {
    const done = callsNamed(turn, 'list_workspaces').at(-1);
    if (!done)
      return { text: 'I’ll look which workspaces there are.', calls: [{ name: spaces.name, arguments: {} }] };
    return {
      text: done.isError ? `That did not work: ${errorWords(done.result)}` : spaced(done.result),
      calls: [],
    };
  }
  const files = toolNamed(turn, 'list_files');
  if (!files || !listing.test(turn.question)) return null;
  const done = callsNamed(turn, 'list_files').at(-1);
  if (!done) return { text: 'I’ll list the notes.', calls: [{ name: files.name, arguments: {} }] };
  if (done.isError) return { text: `That did not work: ${errorWords(done.result)}`, calls: [] };
  const notes = listedNotes(done.result);
  const lines = notes.slice(0, 20).map(({ path }) => `- ${noteLink(path)}`);
  const more = notes.length > lines.length ? `\n\n… and ${notes.length - lines.length} more.` : '';
  return {
    text:
      notes.length === 0
        ? 'There are no notes yet.'
        : `${notes.length === 1 ? 'There is 1 note' : `There are ${notes.length} notes`}:\n\n${lines.join('\n')}${more}`,
    calls: [],
  };
}

function spaced(result: string): string {
  const names = [...result.matchAll(/"(?:name|workspace)"\s*:\s*"([^"]+)"/g)].map((match) => match[1]);
  return names.length === 0
    ? 'There are no workspaces yet.'
    : `The workspaces are:\n\n${names.map((name) => `- ${name}`).join('\n')}`;
}
