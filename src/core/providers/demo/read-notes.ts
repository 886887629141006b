import { gist } from './gist';
import { errorWords, notesRead } from './results';
import { callsNamed, type Step, type Turn, toolNamed } from './turn';
import { notePaths } from './words';

/** "Read [[X]]", "summarise a.md and b.md". */
export function readNotes(turn: Turn): Step | null {
  const tool = toolNamed(turn, 'read_docs');
  const paths = notePaths(turn.question).slice(0, 3);
  if (!tool || paths.length === 0) return null;
  const done = callsNamed(turn, 'read_docs');
  if (done.length === 0) {
    return {
      text: paths.length === 1 ? `I'll read ${paths[0]}.` : `I'll read ${paths.length} notes.`,
      calls: paths.map((path) => ({ name: tool.name, arguments: { paths: [path] } })),
    };
  }
  const parts = done.flatMap((call) => {
    const path = Array.isArray(call.arguments.paths) ? String(call.arguments.paths[0]) : '';
    if (call.isError) return [`I could not read ${path}: ${errorWords(call.result)}`];
    return notesRead(call.result).map((note) => gist(note.path ?? path, note.text));
  });
  return { text: parts.join('\n\n'), calls: [] };
}
