import { t } from '../text/text';
import { useConnected } from './connected';

/** Why what needs the core cannot be done now; undefined: it can. A disabled control has it as its title. */
export function useWhyNot(): string | undefined {
  const connected = useConnected();
  return connected ? undefined : t('note.notConnected');
}
