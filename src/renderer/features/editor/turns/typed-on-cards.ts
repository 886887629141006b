import type { Extension } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import { standBeside } from '../preview/beside-drawn';
import { isText, makeRoom } from './room-at-cards';

/** What is typed while a button of a card has the focus is written below the card: nobody would hear of it there. */
export const typedOnCards: Extension = ViewPlugin.define((view) => {
  const { contentDOM } = view;
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = (event.target as Element).closest('button');
    const card = pressed?.closest<HTMLElement>('.cm-card-place');
    // Space presses the button.
    if (!card || !isText(event) || event.key === ' ' || view.state.readOnly) return;
    standBeside(view, card, 'below');
    view.focus();
    makeRoom(view, [...event.key].length === 1 ? event.key : '');
  };
  contentDOM.addEventListener('keydown', onKeyDown);
  return { destroy: () => contentDOM.removeEventListener('keydown', onKeyDown) };
});
