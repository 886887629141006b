import type { ServerState } from '../../../contract/mcp';
import { t } from '../text/text';
import { useConnected } from './connected';
import { type StateWords, stateWords } from './server-state';

/** How a server is said to be; without the core nobody knows. */
export function useStateWords(): (state: ServerState, now: number) => StateWords {
  const connected = useConnected();
  return connected
    ? stateWords
    : () => ({ tone: 'neutral', moving: false, word: t('note.notConnected'), detail: '' });
}
