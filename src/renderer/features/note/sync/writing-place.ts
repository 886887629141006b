import type { ChangeSet } from '@codemirror/state';
import type { OwnedChange } from '../../../../contract/rebase';

/** Where another hand wrote last, in the text as the editor shows it. */
export interface Arrival {
  readonly clientId: string;
  readonly at: number;
}

/** The end of each hand's last insertion, carried over what came after it and over `unconfirmed` local changes. */
export function arrivals(
  foreign: readonly OwnedChange[],
  all: readonly OwnedChange[],
  unconfirmed: readonly ChangeSet[],
): Arrival[] {
  const last = new Map(foreign.map((update) => [update.clientId, update]));
  return [...last.values()].map((update) => {
    let at = 0;
    update.changes.iterChanges((_fromA, _toA, _fromB, toB) => {
      at = toB;
    });
    const later = all.slice(all.indexOf(update) + 1).map(({ changes }) => changes);
    for (const changes of [...later, ...unconfirmed]) at = changes.mapPos(at, -1);
    return { clientId: update.clientId, at };
  });
}
