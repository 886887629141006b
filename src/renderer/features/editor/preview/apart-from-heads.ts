import {
  ChangeSet,
  type ChangeSpec,
  EditorState,
  type Extension,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { blockAround } from '../reading/blocks';
import { type Head, headAt, headsIn } from '../reading/heads';
import { isByHand } from './apart-from-cards';
import { foldAt } from './folds';

/**
 * What a person writes at a tag or at a line of a fence gets a line of its own, and what is deleted beside them joins no text to
 * them: with other text in it, the tag or the fence would be none any more, and what follows would be somebody else's, or code.
 */
export const apartFromHeads: Extension = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !isByHand(transaction)) return transaction;
  if (cutsHiddenLine(transaction)) return [];
  const { changes, newDoc } = transaction;
  const repairs: ChangeSpec[] = [];
  const { head } = transaction.newSelection.main;
  let cursor: ((after: ChangeSet) => number) | null = null;
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    if (fromA < toA) repairs.push(...breaksBeside(transaction, { fromA, toA, fromB, toB }));
    else {
      const broken = headBrokenAt(transaction, fromA);
      if (!broken) return;
      const text = inserted.toString();
      const isBelow = broken.room.side === 'below';
      const place = changes.mapPos(broken.room.at, isBelow ? 1 : -1);
      const lead = isBelow ? leadBelow(transaction.startState, broken.room.at) : '';
      const tail = isBelow || text.endsWith('\n') ? '' : '\n';
      repairs.push({ from: fromB, to: toB }, { from: place, insert: lead + text + tail });
      const offset = lead.length + head - fromB;
      if (fromB <= head && head <= toB) cursor = (after) => after.mapPos(place, -1) + offset;
    }
  }, true);
  if (repairs.length === 0) return transaction;
  const after = ChangeSet.of(repairs, newDoc.length);
  const anchor: number = (cursor as ((after: ChangeSet) => number) | null)?.(after) ?? after.mapPos(head, -1);
  // A line break that cannot be deleted is gone over.
  if (changes.compose(after).apply(transaction.startState.doc).eq(transaction.startState.doc))
    return { selection: { anchor }, scrollIntoView: true, userEvent: 'select' };
  const repaired: TransactionSpec = { changes: after, sequential: true, selection: { anchor } };
  return [transaction, repaired];
});

/** Below a card an empty line stands, as everywhere. */
export function leadBelow(state: EditorState, at: number): string {
  return blockAround(state, at)?.value.shape.kind === 'callout' ? '\n\n' : '\n';
}

/** Without a selection the line of the cursor is cut: not one of those that nobody sees. */
function cutsHiddenLine(transaction: Transaction): boolean {
  const { startState } = transaction;
  const { main } = startState.selection;
  if (!transaction.isUserEvent('delete.cut') || !main.empty) return false;
  const line = startState.doc.lineAt(main.head);
  const block = blockAround(startState, line.from);
  const isFence = block?.value.shape.kind === 'fence' && (line.from === block.from || line.to === block.to);
  return foldAt(startState, main.head) !== null || isFence;
}

function isBroken({ changes, newDoc }: Transaction, { isIn, at }: Head, side: -1 | 1): boolean {
  const now = changes.mapPos(at, side);
  const line = newDoc.lineAt(now);
  return !isIn(line.text, now - line.from);
}

function headBrokenAt(transaction: Transaction, at: number): Head | null {
  const head = headAt(transaction.startState, at);
  return head && isBroken(transaction, head, 1) ? head : null;
}

interface Range {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Line breaks where text was joined to what stood behind and before it. */
function breaksBeside(transaction: Transaction, { fromA, toA, fromB, toB }: Range): ChangeSpec[] {
  const { startState } = transaction;
  const { doc } = startState;
  const breaks: ChangeSpec[] = [];
  const above = headsIn(startState, doc.lineAt(fromA)).some(
    (head) => head.room.side === 'below' && head.to === fromA && isBroken(transaction, head, -1),
  );
  if (above) breaks.push({ from: fromB, insert: '\n' });
  const below = headsIn(startState, doc.lineAt(toA)).some(
    (head) => head.from <= toA && toA <= head.at && isBroken(transaction, head, 1),
  );
  if (below && !(above && fromB === toB)) breaks.push({ from: toB, insert: '\n' });
  return breaks;
}
