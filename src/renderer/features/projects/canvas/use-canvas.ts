import { useNodesState } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import type { CanvasNode, CanvasPicture } from '../../../../contract/projects';
import { useCore } from '../../../app/core';
import { failureText } from '../../../app/failure';
import { untilSent } from '../../../app/unsent';
import { statusWord, typeWord } from '../words';
import { type FlowNode, flowNodes, movedSince, type Place, placesOf } from './flow';

const rest = 400;

/** Where all was before it was arranged, and the file's version after that. */
export interface WayBack {
  readonly places: readonly Place[];
  readonly version: string;
}

export type Saving =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly why: string };

/** Nodes that may be moved, and their places in the file: saved soon after each move, given back where that is refused. */
export function useCanvas(picture: CanvasPicture, again: () => unknown) {
  const core = useCore();
  const [nodes, setNodes, onNodesChange] = useNodesState<FlowNode>(flowNodes(picture, labelOf));
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  // The picture as it was saved last; the next one from the core may be older than that.
  const base = useRef(picture);
  const outdated = useRef(new Set<string>());
  const shown = useRef<CanvasPicture | null>(picture);
  const busy = useRef({ dragging: false, saving: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(nodes);
  latest.current = nodes;

  const show = (next: CanvasPicture) => {
    base.current = next;
    setNodes((before) => {
      const selected = new Set(before.filter((node) => node.selected).map((node) => node.id));
      return flowNodes(next, labelOf).map((node) => ({ ...node, selected: selected.has(node.id) }));
    });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new picture is shown.
  useEffect(() => {
    if (busy.current.dragging || busy.current.saving || timer.current !== undefined) return;
    if (picture === shown.current || outdated.current.has(picture.version)) return;
    shown.current = picture;
    show(picture);
  }, [picture, saving]);

  async function put(places: readonly Place[], onlyOnto = false): Promise<boolean> {
    const before = base.current;
    const moved = movedSince(before, places);
    if (moved.length === 0) return true;
    busy.current.saving = true;
    setSaving({ kind: 'saving' });
    try {
      const { version } = await untilSent(
        core.call('projects.moveNodes', {
          ...{ path: before.path, version: before.version, places: moved },
          onlyOnto,
        }),
      );
      outdated.current.add(before.version);
      outdated.current.delete(version);
      const to = new Map(moved.map((place) => [place.id, place]));
      base.current = {
        ...before,
        version,
        nodes: before.nodes.map((node) => ({ ...node, ...to.get(node.id) })),
      };
      busy.current.saving = false;
      setSaving({ kind: 'saved' });
      return true;
    } catch (error) {
      busy.current.saving = false;
      outdated.current.clear();
      show(before);
      setSaving({ kind: 'failed', why: failureText(error) });
      again();
      return false;
    }
  }

  function saveSoon(): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (busy.current.dragging || busy.current.saving) return saveSoon();
      void put(placesOf(latest.current));
    }, rest);
  }

  const leaving = useRef<() => void>(() => undefined);
  leaving.current = () => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    void put(placesOf(latest.current));
  };
  // What was moved last is saved although the view is left.
  useEffect(() => () => leaving.current(), []);

  return {
    nodes,
    saving,
    select: (id: string) =>
      setNodes((before) =>
        before.map((node) =>
          (node.selected ?? false) === (node.id === id) ? node : { ...node, selected: node.id === id },
        ),
      ),
    forgetFailure: () => setSaving({ kind: 'idle' }),
    onNodesChange: (changes: Parameters<typeof onNodesChange>[0]) => {
      onNodesChange(changes);
      for (const change of changes) {
        if (change.type !== 'position') continue;
        busy.current.dragging = change.dragging === true;
        saveSoon();
      }
    },
    /** What takes it back; null where it was refused. */
    async moveAll(places: readonly Place[], onlyOnto = false): Promise<WayBack | null> {
      const before = base.current.nodes.map(({ id, x, y, width, height }) => ({ id, x, y, width, height }));
      if (!(await put(places, onlyOnto))) return null;
      show(base.current);
      return { places: before, version: base.current.version };
    },
    /** Only onto what it left; whatever was moved since, here or elsewhere, is not overwritten. */
    isAsLeft: ({ version }: WayBack) =>
      base.current.version === version && timer.current === undefined && !busy.current.dragging,
    /** As the file has it, moves that are not saved yet included. */
    present: (): CanvasPicture => base.current,
  };
}

function labelOf({ entity, text, file }: CanvasNode): string {
  if (!entity) return text || (file ?? '');
  return `${typeWord(entity.type)} ${entity.id} ${entity.title}, ${statusWord(entity.status)}`;
}
