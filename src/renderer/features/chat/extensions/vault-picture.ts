import type { EditorView } from '@codemirror/view';
import { noteContext } from './note-context';

/** Loads a picture of the vault from where the host serves it now. What can't be had is an `error` of the image. */
export function loadPicture(image: HTMLImageElement, view: EditorView, path: string): void {
  view.state
    .field(noteContext)
    .actions.pictureAddress(path)
    .then(
      (address) => {
        image.src = address;
      },
      () => image.dispatchEvent(new Event('error')),
    );
}
