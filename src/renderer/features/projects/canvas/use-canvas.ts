import { useNodesState } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import type { CanvasContent, CanvasNode } from '../../../../contract/projects';
import { useCore } from '../../../base/core/core';
import { useForgetsMissed } from '../../../base/core/missed';
import { untilSent } from '../../../base/core/unsent';
import { failureText } from '../../../base/text/failure';
import { t } from '../../../base/text/text';
import { statusWord, typeWord } from '../words';
import { type FlowNode, flowNodes, movedSince, type Place, placesOf } from './flow';
import { nextStep, type Step, stepped, useSteps, type Way, withStep } from './steps';

const rest = 400;
/** Milliseconds that a picture of before a save may be under way. */
const longestLate = 2_000;

/** What the last action came to; the next one replaces it. */
export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'failed'; readonly title?: string; readonly why: string };

interface Put {
  readonly step: Omit<Step, 'arranged'>;
  readonly onto: string;
  readonly version: string;
  /** Nobody changed the file before it: where the nodes were is known. */
  readonly isOntoShown: boolean;
}

/** Nodes that may be moved, and their places in the file: saved soon after each move, given back where that is refused. */
export function useCanvas(picture: CanvasContent, again: () => unknown) {
  const core = useCore();
  const [nodes, setNodes, onNodesChange] = useNodesState<FlowNode>(flowNodes(picture, labelOf));
  const [outcome, tell] = useState<Outcome>({ kind: 'none' });
  const failed = useForgetsMissed(() => tell({ kind: 'none' }));
  const { byPath, keep } = useSteps();
  const steps = byPath.get(picture.path);
  // The picture as it was saved last; the next one from the core may be older than that.
  const base = useRef(picture);
  /** Versions of before our saves, and when; later than `longestLate` somebody has put that version back. */
  const outdated = useRef(new Map<string, number>());
  const [looks, setLooks] = useState(0);
  const shown = useRef<CanvasContent | null>(picture);
  const busy = useRef({ dragging: false, saving: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(nodes);
  latest.current = nodes;

  const show = (next: CanvasContent) => {
    base.current = next;
    draw(next);
  };

  const draw = (next: CanvasContent) =>
    setNodes((before) => {
      const selected = new Set(before.filter((node) => node.selected).map((node) => node.id));
      return flowNodes(next, labelOf).map((node) => ({ ...node, selected: selected.has(node.id) }));
    });

  /** What is saved now, and what a person has moved meanwhile; that is saved next. */
  const drawOver = (before: CanvasContent) => {
    const unsaved = new Map(movedSince(before, placesOf(latest.current)).map((place) => [place.id, place]));
    const { nodes: saved } = base.current;
    draw({ ...base.current, nodes: saved.map((node) => ({ ...node, ...unsaved.get(node.id) })) });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new picture is shown.
  useEffect(() => {
    if (busy.current.dragging || busy.current.saving || timer.current !== undefined) return;
    if (picture === shown.current) return;
    const left = (outdated.current.get(picture.version) ?? 0) + longestLate - Date.now();
    if (left > 0) {
      const later = setTimeout(() => setLooks(looks + 1), left);
      return () => clearTimeout(later);
    }
    shown.current = picture;
    show(picture);
  }, [picture, outcome, looks]);

  const stepsNow = () => useSteps.getState().byPath.get(picture.path);

  /** Null where nothing was moved, or where it was refused. */
  async function put(places: readonly Place[], words: string, onlyOnto = false): Promise<Put | null> {
    const before = base.current;
    const moved = movedSince(before, places);
    if (moved.length === 0) return null;
    busy.current.saving = true;
    tell({ kind: 'saving' });
    try {
      const { onto, version } = await untilSent(
        core.call('projects.moveNodes', {
          ...{ path: before.path, version: before.version, places: moved },
          onlyOnto,
        }),
      );
      outdated.current.set(before.version, Date.now());
      outdated.current.delete(version);
      const to = new Map(moved.map((place) => [place.id, place]));
      base.current = {
        ...before,
        version,
        nodes: before.nodes.map((node) => ({ ...node, ...to.get(node.id) })),
      };
      tell({ kind: 'done', words });
      const step = { before: placesBefore(before, moved), after: moved };
      return { step, onto, version, isOntoShown: onto === before.version };
    } catch (error) {
      outdated.current.clear();
      show(before);
      failed(error);
      tell({ kind: 'failed', title: t('canvas.notSaved'), why: failureText(error) });
      again();
      return null;
    } finally {
      busy.current.saving = false;
    }
  }

  async function save(): Promise<void> {
    const saved = await put(placesOf(latest.current), t('canvas.saved'));
    if (saved) keepStep(saved, false);
  }

  /** Moves that went onto somebody else's change are not taken back: that might put back what they moved. */
  function keepStep({ step, isOntoShown, ...saved }: Put, arranged: boolean): void {
    keep(picture.path, isOntoShown ? withStep(stepsNow(), { ...step, arranged }, saved) : undefined);
  }

  /** One after the other: each goes onto what the last one left. */
  const line = useRef<Promise<unknown>>(Promise.resolve());
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    const turn = line.current.then(work);
    line.current = turn.catch(() => undefined);
    return turn;
  }

  /** Saves what was moved last without waiting for more. */
  function saveNow(): void {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    void inLine(save);
  }

  function saveSoon(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (busy.current.dragging || busy.current.saving) return saveSoon();
      void inLine(save);
    }, rest);
  }

  const leaving = useRef(saveNow);
  leaving.current = saveNow;
  // What was moved last is saved although the view is left.
  useEffect(() => () => leaving.current(), []);

  return {
    nodes,
    outcome,
    tell,
    canUndo: nextStep(steps, 'undo') !== undefined,
    canRedo: nextStep(steps, 'redo') !== undefined,
    select: (id: string) =>
      setNodes((before) =>
        before.map((node) =>
          (node.selected ?? false) === (node.id === id) ? node : { ...node, selected: node.id === id },
        ),
      ),
    onNodesChange: (changes: Parameters<typeof onNodesChange>[0]) => {
      onNodesChange(changes);
      for (const change of changes) {
        if (change.type !== 'position') continue;
        busy.current.dragging = change.dragging === true;
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
        drawOver(before);
        keepStep(saved, true);
        return true;
      });
    },
    /** Goes only onto what the last move left; the step that was gone, null where none was. */
    go: async (way: Way): Promise<Step | null> => {
      if (busy.current.dragging) return null;
      saveNow();
      return inLine(async () => {
        const known = stepsNow();
        const step = nextStep(known, way);
        if (!known || !step) return null;
        if (known.version !== base.current.version) {
          keep(picture.path, undefined);
          tell({ kind: 'failed', why: t('canvas.changedSince') });
          return null;
        }
        const before = base.current;
        const words = t(way === 'undo' ? 'canvas.undone' : 'canvas.redone');
        const saved = await put(way === 'undo' ? step.before : step.after, words, true);
        if (!saved) return null;
        drawOver(before);
        keep(picture.path, stepped(known, way, saved.version));
        return step;
      });
    },
    /** As the file has it, moves that are not saved yet included. */
    present: (): CanvasContent => base.current,
  };
}

/** Where these were; sizes only where those were changed. */
function placesBefore({ nodes }: CanvasContent, moved: readonly Place[]): Place[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  return moved.flatMap(({ id, width, height }) => {
    const node = known.get(id);
    if (!node) return [];
    return [
      {
        ...{ id, x: node.x, y: node.y },
        ...(width !== undefined && { width: node.width }),
        ...(height !== undefined && { height: node.height }),
      },
    ];
  });
}

function labelOf({ entity, text, file }: CanvasNode): string {
  if (!entity) return text || (file ?? '');
  return `${typeWord(entity.type)} ${entity.id} ${entity.title}, ${statusWord(entity.status)}`;
}
