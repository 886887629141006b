import type { ViewUpdate } from '@codemirror/view';
import { readToolCallout } from '../../../../markdown';
import { blockAround, blocksField, calloutType } from './blocks';

/** Where callouts begin whose calls were running before an update and have an answer after it. */
export function newlyAnswered(update: ViewUpdate): number[] {
  const { state, startState } = update;
  const { set, scanned } = state.field(blocksField);
  if (!update.docChanged || !scanned || update.transactions.some((one) => one.isUserEvent('input')))
    return [];
  const back = update.changes.invertedDesc;
  const found: number[] = [];
  set.between(scanned.from, Math.min(scanned.to, state.doc.length), (from, _to, block) => {
    if (block.kind !== 'callout' || calloutType(block.head) !== 'tool' || / running\b/.test(block.head))
      return;
    const before = blockAround(startState, back.mapPos(from, 1));
    if (before?.value.kind !== 'callout' || calloutType(before.value.head) !== 'tool') return;
    const text = startState.sliceDoc(before.from, before.to);
    if (text.includes('running') && readToolCallout(text)?.result.state === 'running') found.push(from);
  });
  return found;
}
