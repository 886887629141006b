import { toFailure } from '../base/failures';
import type { Entities } from '../entity/index/entities';
import { linkFollower } from '../entity/note/note-links';
import type { Draft } from '../store/batch/draft';
import type { Move } from '../store/batch/links';
import type { Drafted } from './drafted';

/** What leads to notes that were moved, and from them, leads there again. */
export async function followLinks(parts: {
  readonly moves: readonly Move[];
  readonly draft: Draft;
  readonly drafted: Drafted;
  readonly linking: Entities['linking'];
  /** Of all files, as they were before these changes. */
  readonly paths: readonly string[];
}): Promise<void> {
  const { moves, draft, drafted, linking, paths } = parts;
  if (moves.length === 0) return;
  const draftMoves = new Map(draft.moves().map(({ from, to }) => [from, to]));
  const isNow = (path: string): string => {
    const to = draftMoves.get(path);
    return to === undefined || moves.some(({ from }) => from === path) ? path : to;
  };
  const follow = linkFollower(paths.map(isNow), moves);
  const sources = new Set([...linking(moves.map(({ from }) => from)), ...moves.map(({ from }) => from)]);
  for (const source of sources) {
    const from = isNow(source);
    const to = moves.find((move) => move.from === from)?.to ?? from;
    const document = await readableNote(draft, to);
    const textAfter = document && follow(document, from, to);
    if (textAfter === null || textAfter === document) continue;
    const entity = [...drafted.all()].find(({ path }) => path === to);
    if (entity) await drafted.put(to, textAfter);
    else await draft.write(to, textAfter);
  }
}

/** A note that can't be read, or is gone by now, keeps no other from being moved. */
async function readableNote(draft: Draft, path: string): Promise<string | null> {
  try {
    return (await draft.read(path))?.text ?? null;
  } catch (error) {
    if (toFailure(error).code === 'internal') throw error;
    return null;
  }
}
