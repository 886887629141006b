import { ChangeSet, type Text } from '@codemirror/state';
import { AppError } from '../../../contract/errors';

function invalid(issue: string): AppError<'request.invalid'> {
  return new AppError('request.invalid', 'These changes do not fit the note.', { issues: [issue] });
}

const isLength = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function isSection(part: unknown): boolean {
  if (!Array.isArray(part)) return isLength(part);
  const [length, ...lines] = part as unknown[];
  // A line end inside a line would shift every line after it.
  return isLength(length) && lines.every((line) => typeof line === 'string' && !/[\r\n]/.test(line));
}

/** A change set from outside, for a text of this length. Throws `request.invalid`. */
export function changesFromJson(json: unknown, length: number): ChangeSet {
  if (!Array.isArray(json) || !json.every(isSection)) throw invalid('Not a change set.');
  const changes = ChangeSet.fromJSON(json);
  if (changes.length !== length)
    throw invalid(`A change for ${changes.length} characters, the text has ${length}.`);
  return changes;
}

/** One replacement; line ends become `\n`. Throws `request.invalid`. */
export function changeOf(doc: Text, change: { from: number; to?: number; insert: string }): ChangeSet {
  const { from, to = from, insert } = change;
  if (!isLength(from) || !isLength(to) || from > to || to > doc.length)
    throw invalid(`${from} to ${to} is not in a text of ${doc.length} characters.`);
  return ChangeSet.of({ from, to, insert }, doc.length);
}
