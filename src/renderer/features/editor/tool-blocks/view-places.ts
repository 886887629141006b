import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { callAt } from '../reading/blocks';
import type { ViewedCall } from './viewed-call';

/** A view that stands below a tool call. */
export interface PlacedView {
  readonly key: string;
  /** Where the callout of its call begins. */
  readonly at: number;
  readonly height: number;
  readonly call: ViewedCall;
}

interface Places {
  readonly views: readonly PlacedView[];
  readonly decorations: DecorationSet;
}

export const openView = StateEffect.define<{ at: number; call: ViewedCall }>({
  map: ({ at, call }, changes) => ({ at: changes.mapPos(at, 1), call }),
});
export const closeView = StateEffect.define<string>();
export const sizeView = StateEffect.define<{ key: string; height: number }>();

const mostViews = 4;
const firstHeight = 240;

const placesField = StateField.define<Places>({
  create: () => ({ views: [], decorations: Decoration.none }),
  update(places, transaction) {
    let { views } = places;
    const { state, changes } = transaction;
    if (transaction.docChanged && views.length > 0) {
      const moved = views.map((view) => ({ ...view, at: changes.mapPos(view.at, 1) }));
      views = moved.filter(({ at }) => callAt(state, at) !== null);
    }
    for (const effect of transaction.effects) {
      if (effect.is(openView)) {
        const { at, call } = effect.value;
        // Asked for a moment ago; the call may be gone.
        if (!callAt(state, at)) continue;
        const view = { key: crypto.randomUUID(), at, height: firstHeight, call };
        views = [...views.filter((other) => other.at !== at), view].slice(-mostViews);
      } else if (effect.is(closeView)) views = views.filter(({ key }) => key !== effect.value);
      else if (effect.is(sizeView)) {
        const { key, height } = effect.value;
        views = views.map((view) => (view.key === key ? { ...view, height } : view));
      }
    }
    if (views === places.views) return places;
    return { views, decorations: decorate(state, views) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

export const viewPlaces: Extension = placesField;

export const viewsOf = (state: EditorState): readonly PlacedView[] => state.field(placesField).views;

function decorate(state: EditorState, views: readonly PlacedView[]): DecorationSet {
  const places = views.flatMap(({ key, at, height }) => {
    const block = callAt(state, at);
    if (!block) return [];
    return [Decoration.widget({ widget: new Room(key, height), block: true, side: 1 }).range(block.to)];
  });
  return RangeSet.of(places, true);
}

/** Holds room in the text. The view itself lies above, since a frame that moves in the page begins anew. */
class Room extends WidgetType {
  constructor(
    private readonly key: string,
    private readonly height: number,
  ) {
    super();
  }
  override eq(other: Room): boolean {
    return other.key === this.key && other.height === this.height;
  }
  override get estimatedHeight(): number {
    return this.height;
  }
  override ignoreEvent(): boolean {
    return true;
  }
  toDOM(): HTMLElement {
    const room = document.createElement('div');
    room.className = 'cm-view-room';
    this.updateDOM(room);
    return room;
  }
  override updateDOM(room: HTMLElement): boolean {
    room.dataset.view = this.key;
    room.style.height = `${this.height}px`;
    return true;
  }
}
