import { anyTool } from './any-tool';
import { createNote } from './create-note';
import { listNotes } from './list-notes';
import { projectAnswer } from './project';
import { readNotes } from './read-notes';
import { introduction, longStory } from './speeches';
import type { Step, Turn } from './turn';

/** Each answers null where it has nothing to say to the question. The first that has something speaks. */
const skills: readonly ((turn: Turn) => Step | null)[] = [
  longStory,
  createNote,
  anyTool('named'),
  readNotes,
  listNotes,
  projectAnswer,
  anyTool('matching'),
];

/** What the demo says and calls next. The same conversation always gives the same step. */
export function decide(turn: Turn): Step {
  for (const skill of skills) {
    const step = skill(turn);
    if (step) return step;
  }
  return introduction(turn);
}
