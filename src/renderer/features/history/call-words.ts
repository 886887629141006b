import type { HistoryEntry } from '../../../contract/history';
import { isPlainKey, t } from '../../base/text/text';

const worded = (key: string): string | null => (isPlainKey(key) ? t(key) : null);

/** How a call came to be allowed; nothing for one that never was. */
export function approvalWords({ status, approval }: HistoryEntry): string | null {
  return status === 'denied' ? null : worded(`history.allowed.${approval}`);
}

/** Why a call has no result: what the app did in the person's language, what others said in their words. */
export function reasonWords({ status, approval, error }: HistoryEntry): string | null {
  switch (status) {
    case 'ok':
    case 'cancelled':
      return null;
    case 'interrupted':
      return t('history.left');
    case 'denied': {
      const by = worded(`history.denied.${approval}`);
      return approval === 'person' && error ? t('history.deniedBecause', { reason: error }) : (by ?? error);
    }
    case 'error':
      return error;
  }
}
