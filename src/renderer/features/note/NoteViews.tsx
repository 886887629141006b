import { StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { noteContext } from '../editor/context/note-context';
import { bringViews } from '../editor/reading/tool-block';
import { newlyAnswered } from '../editor/tool-blocks/newly-answered';
import { closeView, openView, type PlacedView, sizeView, viewsOf } from '../editor/tool-blocks/view-places';
import { type ViewedCall, viewedCall } from '../editor/tool-blocks/viewed-call';
import { addTurn } from '../editor/turns/turn-at-end';

export interface ShownView {
  readonly call: ViewedCall;
  /** Puts a turn of the person at the note's end; `answer`: and has it answered. False where the note cannot be changed. */
  onMessage(text: string, answer: boolean): boolean;
  onClose(): void;
}

/** The views of a note's calls. They lie above the text, where room is kept for them, and stay when it is scrolled. */
export function NoteViews({ view, show }: { view: EditorView; show(noteView: ShownView): ReactNode }) {
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const [views, setViews] = useState<readonly PlacedView[]>([]);
  const elements = useRef(new Map<string, HTMLElement>());

  useEffect(() => {
    const holder = document.createElement('div');
    holder.className = 'note-views';
    view.scrollDOM.append(holder);
    setLayer(holder);
    const listener = EditorView.updateListener.of((update) => {
      const placed = viewsOf(update.state);
      if (placed !== viewsOf(update.startState)) setViews(placed);
      if (placed.length > 0 && (update.geometryChanged || update.viewportChanged || update.docChanged))
        place(view, elements.current);
      if (!bringViews(update.state.field(noteContext).tools)) return;
      for (const at of newlyAnswered(update)) {
        const call = viewedCall(update.state, at);
        // An update must be over before the next one begins.
        if (call) queueMicrotask(() => view.dispatch({ effects: openView.of({ at, call }) }));
      }
    });
    view.dispatch({ effects: StateEffect.appendConfig.of(listener) });
    return () => holder.remove();
  }, [view]);

  useEffect(() => {
    const observer = new ResizeObserver((entries) => {
      const effects = entries.flatMap(({ target }) => {
        const element = target as HTMLElement;
        const height = element.offsetHeight;
        const key = element.dataset.view ?? '';
        const current = viewsOf(view.state).find((one) => one.key === key);
        return current && height > 0 && current.height !== height ? [sizeView.of({ key, height })] : [];
      });
      if (effects.length > 0) view.dispatch({ effects });
      place(view, elements.current);
    });
    for (const { key } of views) {
      const element = elements.current.get(key);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [views, view]);

  if (!layer) return null;
  return createPortal(
    views.map(({ key, call }) => (
      <div
        key={key}
        className="note-view"
        data-view={key}
        ref={(element) => {
          if (element) elements.current.set(key, element);
          else elements.current.delete(key);
        }}
      >
        {show({
          call,
          onClose: () => view.dispatch({ effects: closeView.of(key) }),
          onMessage: (text, answer) => {
            const added = addTurn(view, text);
            if (added && answer) view.state.field(noteContext).actions.answer(view);
            return added;
          },
        })}
      </div>
    )),
    layer,
  );
}

/** Each view goes to its room as soon as the editor has drawn it. */
function place(view: EditorView, elements: Map<string, HTMLElement>): void {
  view.requestMeasure({
    key: elements,
    read: () => whereRoomsAre(view),
    write: (rooms) => {
      for (const [key, element] of elements) moveTo(element, rooms.get(key));
    },
  });
}

interface Room {
  readonly top: number;
  readonly left: number;
  readonly width: number;
}

function whereRoomsAre(view: EditorView): Map<string, Room> {
  const scroller = view.scrollDOM.getBoundingClientRect();
  const rooms = [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-view-room')].map((room) => {
    const box = room.getBoundingClientRect();
    return [
      room.dataset.view ?? '',
      {
        top: box.top - scroller.top + view.scrollDOM.scrollTop,
        left: box.left - scroller.left + view.scrollDOM.scrollLeft,
        width: box.width,
      },
    ] as const;
  });
  return new Map(rooms);
}

/** A view whose room is not drawn is far out of sight. */
function moveTo(element: HTMLElement, room: Room | undefined): void {
  element.style.visibility = room ? 'visible' : 'hidden';
  if (!room) return;
  element.style.top = `${room.top}px`;
  element.style.left = `${room.left}px`;
  element.style.width = `${room.width}px`;
}
