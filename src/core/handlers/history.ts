import type { Handlers } from '../../contract/define';
import type { historyOperations } from '../../contract/history';
import type { App } from '../app';

export function historyHandlers({ tools }: App): Handlers<typeof historyOperations> {
  return {
    'history.find': (filter) => tools.history.find(filter),
    'history.overview': ({ bars, ...filter }) => tools.history.overview(filter, bars),
    'history.facets': () => tools.history.facets(),
    'history.export': ({ format, ...filter }, { signal }) => tools.history.export(filter, format, signal),
    'history.clear': async (filter) => ({ removed: await tools.history.clear(filter) }),
    'history.changes': (_input, { signal }) => tools.history.changes.follow(signal),
  };
}
