import { useRef, useState } from 'react';
import { useCore } from '../../../base/core/core';
import { useForgetsMissed } from '../../../base/core/missed';
import { untilSent } from '../../../base/core/unsent';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { movedSince, type Place, placesBefore } from './flow';
import { createOutdatedVersions } from './outdated-versions';
import type { Step } from './steps';
import type { useDrawnNodes } from './use-drawn-nodes';

/** What the last action came to; the next one replaces it. */
export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'failed'; readonly title?: string; readonly why: string };

export interface Put {
  readonly step: Omit<Step, 'arranged'>;
  readonly onto: string;
  readonly version: string;
  /** Nobody changed the file before it: where the nodes were is known. */
  readonly isOntoShown: boolean;
}

/** Puts places of nodes into the file, and says what came of it; where they are refused, the nodes are shown as they were. */
export function usePutPlaces(drawing: ReturnType<typeof useDrawnNodes>, again: () => unknown) {
  const core = useCore();
  const [outcome, tell] = useState<Outcome>({ kind: 'none' });
  const failed = useForgetsMissed(() => tell({ kind: 'none' }));
  const [outdated] = useState(createOutdatedVersions);
  const saving = useRef(false);

  /** Null where nothing was moved, or where it was refused. */
  async function put(places: readonly Place[], words: string, onlyOnto = false): Promise<Put | null> {
    const before = drawing.base.current;
    const moved = movedSince(before, places);
    if (moved.length === 0) return null;
    saving.current = true;
    tell({ kind: 'saving' });
    try {
      const { onto, version } = await untilSent(
        core.call('projects.moveNodes', {
          ...{ path: before.path, version: before.version, places: moved },
          onlyOnto,
        }),
      );
      outdated.saved(before.version, version, Date.now());
      const to = new Map(moved.map((place) => [place.id, place]));
      drawing.base.current = {
        ...before,
        version,
        nodes: before.nodes.map((node) => ({ ...node, ...to.get(node.id) })),
      };
      tell({ kind: 'done', words });
      const step = { before: placesBefore(before, moved), after: moved };
      return { step, onto, version, isOntoShown: onto === before.version };
    } catch (error) {
      outdated.clear();
      drawing.show(before);
      failed(error);
      tell({ kind: 'failed', title: t('canvas.notSaved'), why: failureText(error) });
      again();
      return null;
    } finally {
      saving.current = false;
    }
  }

  return { put, outcome, tell, isSaving: () => saving.current, outdatedFor: outdated.outdatedFor };
}
