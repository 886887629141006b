import type { FlowSource } from '../../../contract/flow';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';

/** One source in a line: what it is, and what of it was read. Its names are others' words. */
export function sourceWords({ kind, name, tool, places, reads }: FlowSource): string {
  const label = [name, ...(tool === undefined ? [] : [tool])].map(visible).join(' · ');
  const isUnknown = kind === 'answer' && reads.includes('private');
  const what = isUnknown ? t('ask.flow.unknownAnswer') : t(`ask.flow.kind.${kind}`, { name: label });
  return places.length === 0 ? what : `${what} (${places.map(visible).join(', ')})`;
}
