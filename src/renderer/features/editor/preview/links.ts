import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { useEntities } from '../../../base/core/entities';
import { isMac } from '../../../base/keyboard/keys';
import { statusWord, typeWord } from '../../../base/text/entity-words';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { element } from '../drawing/widgets';

/** Mod-click, or Alt-Enter at the cursor, follows a link; hovering over one says where it leads. */
export const links: Extension = [
  EditorView.domEventHandlers({
    mousedown(event, view) {
      const link = linkOf(event.target);
      if (!link || event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
      event.preventDefault();
      follow(view, link);
      return true;
    },
  }),
  keymap.of([
    {
      key: 'Alt-Enter',
      run(view) {
        const link = linkAt(view, view.state.selection.main.head);
        if (link) follow(view, link);
        return link !== null;
      },
    },
  ]),
  hoverTooltip((view, at) => {
    const link = linkAt(view, at);
    if (!link) return null;
    const keys = t(isMac ? 'note.click.mac' : 'note.click');
    return {
      pos: at,
      above: true,
      create: () => ({
        dom: element(
          'div',
          'cm-hint',
          ...(link.entityId === undefined ? [link.target] : entityWords(link.entityId)),
          ...(link.isMissing ? [element('span', 'cm-hint-keys', t('note.linkMissing'))] : []),
          element('span', 'cm-hint-keys', t('note.clickToOpen', { keys })),
        ),
      }),
    };
  }),
];

interface Link {
  readonly target: string;
  readonly isNote: boolean;
  readonly isMissing: boolean;
  readonly entityId?: string;
}

function linkAt(view: EditorView, at: number): Link | null {
  for (const side of [1, -1] as const) {
    const { node } = view.domAtPos(at, side);
    const link = linkOf(node instanceof Element ? node : node.parentElement);
    if (link) return link;
  }
  return null;
}

function entityWords(id: string): (HTMLElement | string)[] {
  const entity = useEntities.getState().briefs.get(id);
  if (!entity) return [id];
  const state = `${typeWord(entity.type)} · ${statusWord(entity.status)}`;
  return [element('span', 'cm-hint-entity', element('strong', '', entity.title), element('span', '', state))];
}

function linkOf(target: EventTarget | null): Link | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('.cm-link') : null;
  const { note, target: url, entity } = element?.dataset ?? {};
  const isMissing = element?.classList.contains('cm-link-missing') ?? false;
  if (note) return { target: note, isNote: true, isMissing, ...(entity && { entityId: entity }) };
  return url ? { target: url, isNote: !/^[a-z][a-z0-9+.-]*:/i.test(url), isMissing } : null;
}

function follow(view: EditorView, { target, isNote }: Link): void {
  const { actions } = view.state.field(noteContext);
  if (isNote) actions.openNote(target);
  else if (/^(https?|mailto):/i.test(target)) actions.openLink(target);
}
