import type { appOperations } from '../../contract/app';
import type { Handlers } from '../../contract/define';
import type { App } from '../app';

export function appHandlers({ host, notices, openExternal }: App): Handlers<typeof appOperations> {
  return {
    'app.info': () => ({ ...host.info, secretStore: host.secrets.kind }),
    'app.openExternal': ({ url }) => openExternal(url),
    'app.pickFolder': () => host.pickFolder(),
    'app.notices': (_input, { signal }) => notices.list.follow(signal),
    'app.dismissNotice': ({ id }) => notices.dismiss(id),
  };
}
