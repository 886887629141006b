import { followMoved, followOnCanvas } from '../canvas/canvas';
import type { Entity } from '../entity/model/model';
import { bodyOf, withBody, withLinesBelow, withValues } from '../entity/note/note-text';
import type { Draft } from '../store/batch/draft';
import type { Drafted } from './drafted';
import { keepWords } from './keep-words';
import { isSame } from './late-change';
import type { NotePlaces } from './note-places';

type Data = Readonly<Record<string, unknown>>;

interface Rewriting {
  readonly values: Data;
  readonly body?: string | undefined;
  readonly archived?: boolean | undefined;
  /** Whether the caller was handed what stands in a field. */
  readonly isHanded?: (field: string) => boolean;
}

/** Writes the note of an entity with other values, another text or at another place; what leads to it goes along. */
export function createRewrite(parts: {
  readonly draft: Draft;
  readonly drafted: Drafted;
  readonly places: NotePlaces;
  /** Of all canvases. */
  readonly canvases: readonly string[];
  readonly now: () => Date;
  readonly warn: (warning: string) => void;
}): (entity: Entity, rewriting: Rewriting) => Promise<Entity> {
  const { draft, drafted, places, canvases, now, warn } = parts;

  /** Later than before, also where two changes fall into one millisecond. */
  function stampAfter(before: string): string {
    const last = Date.parse(before);
    return new Date(Number.isNaN(last) ? now() : Math.max(now().getTime(), last + 1)).toISOString();
  }

  return async (entity, { values, body, archived, isHanded = () => false }) => {
    const { entity: before, text } = await drafted.asWritten(entity);
    const different = Object.fromEntries(
      Object.entries(values).filter(([key, value]) => !isSame(before.values[key], value)),
    );
    const move = archived !== undefined && archived !== before.archived;
    const path = move ? await places.pathFor(before, archived) : before.path;
    if (move) {
      different.archived = archived || undefined;
      different.archived_from = archived && !places.isUsual(before) ? before.path : undefined;
      if (!archived) different.archived_with = undefined;
    }
    const withItsBody = body === undefined || body.trimEnd() === bodyOf(text) ? text : withBody(text, body);
    if (Object.keys(different).length === 0 && withItsBody === text) return before;
    const stamped = { ...different, updated: stampAfter(before.updated) };
    const { values: changes, lines, warnings } = keepWords(before, text, stamped, isHanded);
    for (const warning of warnings) warn(warning);
    const newText = withLinesBelow(withValues(before.path, withItsBody, changes), lines);
    if (path !== before.path) {
      await draft.remove(before.path);
      draft.moved(before.path, path);
    }
    const after = await drafted.put(path, newText);
    const canvas = before.values.canvas_source;
    if (typeof canvas === 'string') await followOnCanvas(draft, canvas, before, after, drafted);
    if (move) await followMoved(draft, canvases, before.path, after.path);
    return after;
  };
}
