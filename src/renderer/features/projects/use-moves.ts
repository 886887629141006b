import { useEffect, useState } from 'react';
import type { EntityBrief } from '../../../contract/projects';
import { useCore } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { statusWord } from './words';

export interface Moves {
  /** The cards as the person has put them. */
  readonly cards: readonly EntityBrief[];
  /** What the last move came to, for who listens. */
  readonly said: string;
  readonly refused: { readonly id: string; readonly why: string } | null;
  forgetRefusal(): void;
  move(card: EntityBrief, status: string): void;
}

/** Moves show at once; one that is refused goes back and says why. */
export function useMoves(all: readonly EntityBrief[]): Moves {
  const core = useCore();
  const [moved, setMoved] = useState<ReadonlyMap<string, { status: string; since: string }>>(new Map());
  const [said, setSaid] = useState('');
  const [refused, setRefused] = useState<Moves['refused']>(null);

  const forget = (id: string) =>
    setMoved((before) => {
      const after = new Map(before);
      after.delete(id);
      return after;
    });

  // What has arrived from the disk is no guess any more.
  useEffect(() => {
    for (const card of all) {
      const own = moved.get(card.id);
      if (own && own.since !== card.revision) forget(card.id);
    }
  });

  async function save(card: EntityBrief, status: string): Promise<void> {
    setMoved((before) => new Map(before).set(card.id, { status, since: card.revision }));
    setRefused(null);
    try {
      await core.call('projects.update', { id: card.id, data: { status }, revision: card.revision });
      setSaid(t('board.moved', { id: card.id, status: statusWord(status) }));
    } catch (error) {
      forget(card.id);
      setRefused({ id: card.id, why: failureText(error) });
      setSaid(`${t('board.refused', { id: card.id })}: ${failureText(error)}`);
    }
  }

  return {
    cards: all.map((card) => {
      const own = moved.get(card.id);
      return own?.since === card.revision ? { ...card, status: own.status } : card;
    }),
    said,
    refused,
    forgetRefusal: () => setRefused(null),
    move: (card, status) => {
      if (card.status !== status) void save(card, status);
    },
  };
}
