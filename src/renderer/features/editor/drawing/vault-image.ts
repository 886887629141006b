import type { EditorView } from '@codemirror/view';
import { noteContext } from '../context/note-context';

/** Loads the picture that a target of the note means from where the host serves it now. What can't be had is an `error` of the image. */
export function loadImage(image: HTMLImageElement, view: EditorView, target: string): void {
  view.state
    .field(noteContext)
    .actions.imageAddress(target)
    .then(
      (address) => {
        image.src = address;
      },
      () => image.dispatchEvent(new Event('error')),
    );
}
