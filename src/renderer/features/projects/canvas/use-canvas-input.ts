import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { matchesKeys } from '../../../base/keyboard/keys';
import { useLayout } from '../../../base/layout/layout';
import type { Way } from './steps';
import type { Canvas } from './use-canvas';

/** What keys, focus and clicks on the canvas do; `open` goes to where a node leads. */
export function useCanvasInput(canvas: Canvas, onGo: (way: Way) => void) {
  const { openNote, askToOpen } = useLayout();

  const open = (id: string | undefined) => {
    const node = canvas.nodes.find((each) => each.id === id)?.data.node;
    if (node?.kind === 'link') askToOpen(node.text);
    else if (node?.file && node.exists) openNote(node.file);
  };

  const pressed = (event: KeyboardEvent) => {
    const way = wayOf(event);
    if (way) {
      event.preventDefault();
      return onGo(way);
    }
    if (event.key !== 'Enter') return;
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.classList.contains('react-flow__node')) return;
    event.preventDefault();
    event.stopPropagation();
    open(target.dataset.id);
  };

  // Arrow keys move what is selected; whoever comes by Tab has it in hand at once.
  const focused = ({ target }: FocusEvent) => {
    if (!target.classList.contains('react-flow__node') || !target.matches(':focus-visible')) return;
    if (target instanceof HTMLElement && target.dataset.id) canvas.select(target.dataset.id);
  };

  const clicked = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.closest('.ui-markdown')) return;
    event.preventDefault();
    askToOpen(link.href);
  };

  const handlers = { onKeyDownCapture: pressed, onFocusCapture: focused, onClickCapture: clicked };
  return { open, handlers };
}

const keysOf = { undo: ['Mod-z'], redo: ['Mod-Shift-z', 'Ctrl-y'] } as const;

function wayOf(event: KeyboardEvent): Way | undefined {
  if (event.target instanceof Element && event.target.closest('input, textarea')) return undefined;
  return (['undo', 'redo'] as const).find((way) => keysOf[way].some((keys) => matchesKeys(keys, event)));
}
