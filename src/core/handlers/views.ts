import type { Handlers } from '../../contract/define';
import type { viewsOperations } from '../../contract/views';
import type { App } from '../app';

export function viewsHandlers({ views }: App): Handlers<typeof viewsOperations> {
  return {
    'views.open': (what, { signal }) => views.open(what, signal),
    'views.call': ({ viewId, tool, arguments: args }, { signal }) => views.call(viewId, tool, args, signal),
    'views.read': ({ viewId, uri }, { signal }) => views.read(viewId, uri, signal),
    'views.resources': ({ viewId }, { signal }) => views.resources(viewId, signal),
    'views.prompts': ({ viewId }, { signal }) => views.prompts(viewId, signal),
    'views.tell': ({ viewId, text }) => views.tell(viewId, text),
  };
}
