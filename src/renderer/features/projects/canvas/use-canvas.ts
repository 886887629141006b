import { useEffect, useRef, useState } from 'react';
import type { CanvasContent } from '../../../../contract/projects';
import { t } from '../../../base/text/text';
import { movedSince, type Place } from './flow';
import { nextStep, type Step, stepped, useSteps, type Way, withStep } from './steps';
import { useDrawnNodes } from './use-drawn-nodes';
import { type Put, usePutPlaces } from './use-put-places';
import { useRestedSave } from './use-rested-save';

export type Canvas = ReturnType<typeof useCanvas>;

/** Nodes that may be moved, and their places in the file: saved soon after each move, given back where that is refused. One closure, since each move, each step and new content go on from the same last save. */
export function useCanvas(content: CanvasContent, again: () => unknown) {
  const drawing = useDrawnNodes(content);
  const { base } = drawing;
  const { put, outcome, tell, isSaving, outdatedFor } = usePutPlaces(drawing, again);
  const { byPath, keep } = useSteps();
  const steps = byPath.get(content.path);
  const [looks, setLooks] = useState(0);
  const lastShown = useRef(content);
  const dragging = useRef(false);
  const { inLine, saveNow, saveSoon, isWaiting } = useRestedSave(save, isBusy);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new content is shown.
  useEffect(() => {
    if (isBusy() || isWaiting()) return;
    if (content === lastShown.current) return;
    const remainingMs = outdatedFor(content.version, Date.now());
    if (remainingMs > 0) {
      const later = setTimeout(() => setLooks(looks + 1), remainingMs);
      return () => clearTimeout(later);
    }
    lastShown.current = content;
    drawing.show(content);
  }, [content, outcome, looks]);

  function isBusy(): boolean {
    return dragging.current || isSaving();
  }

  const stepsNow = () => useSteps.getState().byPath.get(content.path);

  async function save(): Promise<void> {
    const saved = await put(drawing.places(), t('canvas.saved'));
    if (saved) keepStep(saved, false);
  }

  /** Moves that went onto somebody else's change are not taken back: that might put back what they moved. */
  function keepStep({ step, isOntoShown, ...saved }: Put, arranged: boolean): void {
    keep(content.path, isOntoShown ? withStep(stepsNow(), { ...step, arranged }, saved) : undefined);
  }

  return {
    nodes: drawing.nodes,
    outcome,
    tell,
    canUndo: nextStep(steps, 'undo') !== undefined,
    canRedo: nextStep(steps, 'redo') !== undefined,
    select: drawing.select,
    onNodesChange: (changes: Parameters<typeof drawing.onNodesChange>[0]) => {
      drawing.onNodesChange(changes);
      for (const change of changes) {
        if (change.type !== 'position') continue;
        dragging.current = change.dragging === true;
        saveSoon();
      }
    },
    /** True where it is saved. */
    arrangeAs: (places: readonly Place[]) => {
      saveNow();
      return inLine(async () => {
        const before = base.current;
        if (movedSince(before, places).length === 0) {
          tell({ kind: 'done', words: t('canvas.arranged') });
          return true;
        }
        const saved = await put(places, t('canvas.arranged'));
        if (!saved) return false;
        drawing.drawOver(before);
        keepStep(saved, true);
        return true;
      });
    },
    /** Goes only onto what the last move left; the step that was gone, null where none was. */
    go: async (way: Way): Promise<Step | null> => {
      if (dragging.current) return null;
      saveNow();
      return inLine(async () => {
        const history = stepsNow();
        const step = nextStep(history, way);
        if (!history || !step) return null;
        if (history.version !== base.current.version) {
          keep(content.path, undefined);
          tell({ kind: 'failed', why: t('canvas.changedSince') });
          return null;
        }
        const before = base.current;
        const words = t(way === 'undo' ? 'canvas.undone' : 'canvas.redone');
        const saved = await put(way === 'undo' ? step.before : step.after, words, true);
        if (!saved) return null;
        drawing.drawOver(before);
        keep(content.path, stepped(history, way, saved.version));
        return step;
      });
    },
    /** As the file has it, moves that are not saved yet included. */
    present: (): CanvasContent => base.current,
  };
}
