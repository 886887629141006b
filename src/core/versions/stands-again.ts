import { readLines } from '../notes';
import { type NoteList, type NoteRecord, newestText, type TextEntry } from './note-list';
import type { VersionStore } from './store';

/** Pairs of texts; what they say never changes. */
const mostRemembered = 2_000;

/** Tells of notes that are gone whether their last text, or more, has stood at their place again since, or is in the history there. */
export function createStandsAgain() {
  const answers = new Map<string, boolean>();

  async function isIn(store: VersionStore, last: TextEntry, later: TextEntry): Promise<boolean> {
    const key = `${last.object} ${later.object}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const [text, there] = await Promise.all([store.text(last.object), store.text(later.object)]);
    const answer = text !== null && there !== null && says(there.toString('utf8'), text.toString('utf8'));
    answers.set(key, answer);
    for (const oldest of answers.keys()) if (answers.size > mostRemembered) answers.delete(oldest);
    return answer;
  }

  return async (list: NoteList, store: VersionStore, gone: NoteRecord): Promise<boolean> => {
    const [last, there] = [newestText(gone), list.at(gone.path)];
    const wentAt = gone.entries.at(-1)?.at;
    if (!last || !there || wentAt === undefined) return false;
    const newest = newestText(there);
    for (const entry of there.entries.toReversed()) {
      if (entry.kind !== 'text') continue;
      // The note that came there may be the one itself, which was taken for another until its history came.
      const mayBe = entry.at >= wentAt || entry === newest || entry.object === last.object;
      if (mayBe && (await isIn(store, last, entry))) return true;
    }
    return false;
  };
}

/** Every line in its order, each perhaps with more behind it. Of a text without words nobody can tell: it may have had some. */
function says(text: string, wanted: string): boolean {
  if (wanted.trim() === '') return false;
  const lines = readLines(text).doc.iterLines();
  for (const line of readLines(wanted).doc.iterLines()) {
    if (line.trim() === '') continue;
    do if (lines.next().done) return false;
    while (!lines.value.startsWith(line));
  }
  return true;
}
