import type { OpenView } from '../../../contract/views';

/** Where a frame finds its view: in Electron under a scheme of its own, else under a name that leads to this machine. */
export function viewAddress(
  { origin, viewId }: Pick<OpenView, 'origin' | 'viewId'>,
  page: Pick<Location, 'protocol' | 'port'>,
): { readonly origin: string; readonly href: string } {
  const own =
    page.protocol === 'app:' ? `server-view://${origin}` : `http://${origin}.localhost:${page.port}`;
  return { origin: own, href: `${own}/${viewId}` };
}
