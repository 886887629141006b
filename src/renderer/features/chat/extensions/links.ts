import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import { isMac } from '../../../app/keys';
import { t } from '../../../app/text';
import { noteContext } from './note-context';
import { element } from './widgets';

/** Mod-click follows a link; hovering over one says where it leads. */
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
  hoverTooltip((view, at) => {
    const { node } = view.domAtPos(at);
    const link = linkOf(node instanceof Element ? node : node.parentElement);
    if (!link) return null;
    const keys = t(isMac ? 'note.click.mac' : 'note.click');
    return {
      pos: at,
      above: true,
      create: () => ({
        dom: element(
          'div',
          'cm-hint',
          link.target,
          element('span', 'cm-hint-keys', t('note.clickToOpen', { keys })),
        ),
      }),
    };
  }),
];

interface Link {
  readonly target: string;
  readonly isNote: boolean;
}

function linkOf(target: EventTarget | null): Link | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('.cm-link') : null;
  const { note, target: url } = element?.dataset ?? {};
  if (note) return { target: note, isNote: true };
  return url ? { target: url, isNote: !/^[a-z][a-z0-9+.-]*:/i.test(url) } : null;
}

function follow(view: EditorView, { target, isNote }: Link): void {
  const { actions } = view.state.field(noteContext);
  if (isNote) actions.openNote(target);
  else if (/^(https?|mailto):/i.test(target)) actions.openLink(target);
}
