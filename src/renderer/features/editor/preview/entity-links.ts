import { type Extension, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { useEntities } from '../../../base/core/entities';

const idPattern = /(?<![\w/-])(?:M|S|T|DEC|DOC)-\d{3,9}(?![\w-])/g;
const entitiesCame = StateEffect.define<null>();

/** Ids of entities that exist are links to their notes; only those in sight are looked for. */
export const entityLinks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    readonly stop: () => void;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
      this.stop = useEntities.subscribe((now, before) => {
        if (now.briefs !== before.briefs) view.dispatch({ effects: entitiesCame.of(null) });
      });
    }

    update(update: ViewUpdate) {
      const came = update.transactions.some(({ effects }) =>
        effects.some((effect) => effect.is(entitiesCame)),
      );
      if (update.docChanged || update.viewportChanged || came) this.decorations = decorate(update.view);
    }

    destroy() {
      this.stop();
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export interface NamedEntity {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Ids in a text; those inside a wiki link are part of that link. */
export function idsIn(text: string): NamedEntity[] {
  const named: NamedEntity[] = [];
  for (const match of text.matchAll(idPattern)) {
    const from = match.index;
    const open = text.lastIndexOf('[[', from);
    const inLink =
      open !== -1 && !text.slice(open, from).includes(']]') && !text.slice(open, from).includes('\n');
    if (!inLink) named.push({ id: match[0], from, to: from + match[0].length });
  }
  return named;
}

function decorate(view: EditorView): DecorationSet {
  const { briefs, want } = useEntities.getState();
  const links = view.visibleRanges.flatMap(({ from, to }) =>
    idsIn(view.state.sliceDoc(from, to)).map((named) => ({
      ...named,
      from: from + named.from,
      to: from + named.to,
    })),
  );
  // Not while the editor is being updated: others listen.
  if (links.length > 0) queueMicrotask(() => want(links.map(({ id }) => id)));
  return Decoration.set(
    links.flatMap(({ id, from, to }) => {
      const entity = briefs.get(id);
      if (!entity) return [];
      const attributes = { 'data-note': entity.path, 'data-entity': id };
      return [Decoration.mark({ class: 'cm-link cm-entity', attributes }).range(from, to)];
    }),
    true,
  );
}
