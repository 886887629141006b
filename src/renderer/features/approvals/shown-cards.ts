import { type RefObject, useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { ApprovalAsked } from '../../../contract/tools';
import { useWaiting } from './waiting';

interface ShownCard {
  readonly id: string;
  readonly card: HTMLElement;
}

const useShown = create<{ readonly cards: readonly ShownCard[] }>(() => ({ cards: [] }));

/** Says that the card of a question stands on the screen, as long as it does. */
export function useShownCard(id: string, card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!card.current) return;
    const shown = { id, card: card.current };
    useShown.setState(({ cards }) => ({ cards: [...cards, shown] }));
    return () => useShown.setState(({ cards }) => ({ cards: cards.filter((other) => other !== shown) }));
  }, [id, card]);
}

/** The question that the keys answer: the oldest that is on the screen, first of those in a dialog or a list over the note. */
export function useAnswerable(): ApprovalAsked | undefined {
  const waiting = useWaiting();
  const cards = useShown((shown) => shown.cards);
  return useMemo(() => {
    const over = cards.filter(({ card }) => card.closest('[role="dialog"]') !== null);
    const ids = new Set((over.length > 0 ? over : cards).map(({ id }) => id));
    return waiting.find(({ id }) => ids.has(id));
  }, [waiting, cards]);
}

/** Whether a card of it can be pressed where it stands: no key answers what lies under a dialog or out of the window. */
export const isInSight = (id: string): boolean =>
  useShown.getState().cards.some((shown) => shown.id === id && isOnTop(shown.card));

function isOnTop(card: HTMLElement): boolean {
  const { left, top, width, height } = card.getBoundingClientRect();
  return [0.1, 0.5, 0.9].some((part) =>
    card.contains(document.elementFromPoint(left + width / 2, top + height * part)),
  );
}
