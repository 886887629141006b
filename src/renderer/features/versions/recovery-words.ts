import type { RecoveredText, RecoveryPart } from '../../../contract/recovery';
import { t } from '../../base/text/text';

export type RecoveryView = 'text' | 'compare';

export function nowWords({ now, note }: RecoveredText): string {
  switch (now.kind) {
    case 'there':
      return t('recovery.now.there', { path: now.path });
    case 'another':
      return t('recovery.now.another', { path: now.path });
    case 'gone':
      return t(note === null ? 'recovery.now.unknown' : 'recovery.now.gone');
  }
}

export const partName = ({ reason }: RecoveredText, part: RecoveryPart): string =>
  t(`recovery.part.${part === 'text' ? (reason === 'conflict' ? 'ours' : 'before') : part}`);

/** The note that a part can be compared with and put into; pieces alone would only replace it. */
export const targetOf = ({ now }: RecoveredText, part: RecoveryPart | null): string | null =>
  part === null || part === 'after' || now.kind === 'gone' ? null : now.path;
