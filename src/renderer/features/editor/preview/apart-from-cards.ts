import { ChangeSet, EditorState, type Extension, type Transaction } from '@codemirror/state';
import { quoted } from '../../../../markdown';
import { blocksField } from '../reading/blocks';
import { isCard } from './folds';

/**
 * What a person writes or deletes beside a card leaves the card its own lines: a text or a quotation that came to its first or
 * its last line would be read as a part of it, and be gone from the screen.
 */
export const apartFromCards: Extension = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !isByHand(transaction)) return transaction;
  const breaks = breaksAround(transaction);
  if (breaks.length === 0) return transaction;
  const changes = ChangeSet.of(
    breaks.map(({ at, insert }) => ({ from: at, insert })),
    transaction.newDoc.length,
  );
  const { head } = transaction.newSelection.main;
  const isBelow = breaks.some(({ at, side }) => at === head && side === 'below');
  return [
    transaction,
    { changes, sequential: true, selection: { anchor: changes.mapPos(head, isBelow ? 1 : -1) } },
  ];
});

export const isByHand = (transaction: Transaction) =>
  ['input', 'delete', 'move'].some((event) => transaction.isUserEvent(event));

interface Break {
  readonly at: number;
  readonly side: 'above' | 'below';
  readonly insert: string;
}

function breaksAround({ startState, changes, newDoc }: Transaction): Break[] {
  const breaks: Break[] = [];
  const starts = new Set<number>();
  const isQuote = (number: number) =>
    number >= 1 && number <= newDoc.lines && quoted(newDoc.line(number).text) !== null;
  const add = (at: number, side: Break['side'], isJoined: boolean, isBesideQuote: boolean) => {
    const insert = (isJoined ? '\n' : '') + (isBesideQuote ? '\n' : '');
    if (insert !== '') breaks.push({ at, side, insert });
  };
  changes.iterChangedRanges((fromA, toA) => {
    // A card's own line end, and the line between it and what is beside it.
    startState.field(blocksField).set.between(fromA - 1, toA + 1, (from, to, block) => {
      if (starts.has(from) || !isCard(block) || (fromA < to && toA > from)) return;
      starts.add(from);
      const start = changes.mapPos(from, 1);
      const end = changes.mapPos(to, -1);
      const [first, last] = [newDoc.lineAt(start), newDoc.lineAt(end)];
      const isJoinedAbove = first.from < start;
      const isQuoteAbove = isJoinedAbove
        ? quoted(newDoc.sliceString(first.from, start)) !== null
        : isQuote(first.number - 1);
      add(start, 'above', isJoinedAbove, isQuoteAbove);
      const isJoinedBelow = last.to > end;
      const isQuoteBelow = isJoinedBelow
        ? quoted(newDoc.sliceString(end, last.to)) !== null
        : isQuote(last.number + 1);
      add(end, 'below', isJoinedBelow, isQuoteBelow);
    });
  });
  return breaks;
}
