import { useLayout } from '../base/layout/layout';

export type Place =
  | { readonly kind: 'note'; readonly path: string }
  /** A link that offers a server: for the form that shows all of it. */
  | { readonly kind: 'add'; readonly text: string };

/** `#note=<path>` and `#link=<interlinear://…>`, as programs and pages outside write them. */
export function placeInAddress(hash: string): Place | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const note = params.get('note');
  if (note) return { kind: 'note', path: note };
  const link = params.get('link');
  return link ? placeOfLink(link) : null;
}

function placeOfLink(link: string): Place {
  const url = URL.canParse(link) ? new URL(link) : null;
  const path = url?.protocol === 'interlinear:' && url.host === 'note' ? url.searchParams.get('path') : null;
  return path ? { kind: 'note', path } : { kind: 'add', text: link };
}

/** Goes where the address says, now and whenever it changes; the address is then forgotten. */
export function followAddress(page: Window): () => void {
  const follow = () => {
    const place = placeInAddress(page.location.hash);
    if (place === null) return;
    page.history.replaceState(null, '', page.location.pathname + page.location.search);
    if (place.kind === 'note') useLayout.getState().openNote(place.path);
    else useLayout.getState().addServers(place.text);
  };
  follow();
  page.addEventListener('hashchange', follow);
  return () => page.removeEventListener('hashchange', follow);
}
