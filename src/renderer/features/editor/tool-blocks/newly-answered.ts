import type { ViewUpdate } from '@codemirror/view';
import { readToolCallout } from '../../../../markdown';
import { blockAround, blocksField, calloutType, sourceOf } from '../reading/blocks';

/** Where callouts begin whose calls were running before an update and have an answer after it. */
export function newlyAnswered(update: ViewUpdate): number[] {
  const { state, startState } = update;
  const { set, scanned } = state.field(blocksField);
  if (!update.docChanged || !scanned || update.transactions.some((one) => one.isUserEvent('input')))
    return [];
  const back = update.changes.invertedDesc;
  const places: number[] = [];
  set.between(scanned.from, Math.min(scanned.to, state.doc.length), (from, _to, block) => {
    const { shape } = block;
    if (shape.kind !== 'callout' || shape.type !== 'tool' || / running\b/.test(shape.head)) return;
    const before = blockAround(startState, back.mapPos(from, 1));
    if (!before || calloutType(before.value) !== 'tool') return;
    const text = sourceOf(startState, before);
    if (text.includes('running') && readToolCallout(text)?.result.state === 'running') places.push(from);
  });
  return places;
}
