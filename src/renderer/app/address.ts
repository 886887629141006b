import { useLayout } from './layout';

/** `#note=<path>`, as links from outside write it. */
export function noteInAddress(hash: string): string | null {
  const note = new URLSearchParams(hash.replace(/^#/, '')).get('note');
  return note === null || note === '' ? null : note;
}

/** Opens the note that the address names, now and whenever it changes; the address is then forgotten. */
export function followAddress(page: Window): () => void {
  const follow = () => {
    const note = noteInAddress(page.location.hash);
    if (note === null) return;
    page.history.replaceState(null, '', page.location.pathname + page.location.search);
    useLayout.getState().openNote(note);
  };
  follow();
  page.addEventListener('hashchange', follow);
  return () => page.removeEventListener('hashchange', follow);
}
