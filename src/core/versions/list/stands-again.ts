import { says } from '../compare/says';
import { type NoteList, type NoteRecord, newestText, type TextEntry } from '../store/note-list';
import type { VersionStore } from '../store/store';

/** Pairs of texts; what they say never changes. */
const mostRemembered = 2_000;

/** A note with more versions is looked for among those that are gone. */
const mostCompared = 50;

/** Tells of notes that are gone whether each of their texts, or more, has stood at their place again since, or is in the history there. */
export function createStandsAgain() {
  const answers = new Map<string, boolean>();

  async function isIn(store: VersionStore, last: TextEntry, later: TextEntry): Promise<boolean> {
    const key = `${last.object} ${later.object}`;
    const former = answers.get(key);
    if (former !== undefined) return former;
    const [text, there] = await Promise.all([store.text(last.object), store.text(later.object)]);
    const answer = text !== null && there !== null && says(there.toString('utf8'), text.toString('utf8'));
    answers.set(key, answer);
    for (const oldest of answers.keys()) if (answers.size > mostRemembered) answers.delete(oldest);
    return answer;
  }

  async function isInOneOf(
    store: VersionStore,
    text: TextEntry,
    later: readonly TextEntry[],
  ): Promise<boolean> {
    for (const entry of later) if (await isIn(store, text, entry)) return true;
    return false;
  }

  return async (list: NoteList, store: VersionStore, gone: NoteRecord): Promise<boolean> => {
    const [last, there] = [newestText(gone), list.at(gone.path)];
    const wentAt = gone.entries.at(-1)?.at;
    if (!last || !there || wentAt === undefined) return false;
    const newest = newestText(there);
    // The note that came there may be the one itself, which was taken for another until its history came.
    const later = there.entries
      .toReversed()
      .filter((entry) => entry.kind === 'text')
      .filter((entry) => entry.at >= wentAt || entry === newest || entry.object === last.object);
    const texts = new Map(
      gone.entries.flatMap((entry) => (entry.kind === 'text' ? [[entry.object, entry] as const] : [])),
    );
    if (texts.size > mostCompared) return false;
    for (const text of [...texts.values()].toReversed())
      if (!(await isInOneOf(store, text, later))) return false;
    return true;
  };
}
