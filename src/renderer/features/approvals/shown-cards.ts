import { type RefObject, useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { ApprovalAsked } from '../../../contract/tools';
import { useWaiting } from './waiting';

interface ShownCard {
  readonly id: string;
  readonly card: HTMLElement;
}

/** `focused`: the one that the keyboard is in. */
const useShown = create<{ readonly cards: readonly ShownCard[]; readonly focused: HTMLElement | null }>(
  () => ({
    cards: [],
    focused: null,
  }),
);

/** Says that the card of a question stands on the screen, as long as it does. */
export function useShownCard(id: string, card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!card.current) return;
    const entry = { id, card: card.current };
    const look = () => {
      const focused = entry.card.contains(document.activeElement) ? entry.card : null;
      useShown.setState((now) => (focused || now.focused === entry.card ? { focused } : now));
    };
    const lookLater = () => queueMicrotask(look);
    useShown.setState(({ cards }) => ({ cards: [...cards, entry] }));
    look();
    entry.card.addEventListener('focusin', look);
    entry.card.addEventListener('focusout', lookLater);
    return () => {
      entry.card.removeEventListener('focusin', look);
      entry.card.removeEventListener('focusout', lookLater);
      useShown.setState(({ cards, focused }) => ({
        cards: cards.filter((other) => other !== entry),
        focused: focused === entry.card ? null : focused,
      }));
    };
  }, [id, card]);
}

/** The question that the keys answer: that in which the keyboard is, else the oldest that is on the screen, first of those in a dialog or a list over the note. */
export function useAnswerable(): ApprovalAsked | undefined {
  const waiting = useWaiting();
  const { cards, focused } = useShown();
  return useMemo(() => {
    const over = cards.filter(({ card }) => card.closest('[role="dialog"]') !== null);
    const candidates = over.length > 0 ? over : cards;
    const own = candidates.find(({ card }) => card === focused);
    const ids = new Set((own ? [own] : candidates).map(({ id }) => id));
    return waiting.find(({ id }) => ids.has(id));
  }, [waiting, cards, focused]);
}

/** Whether a card of it can be pressed where it stands: no key answers what lies under a dialog or out of the window. */
export const isInSight = (id: string): boolean =>
  useShown.getState().cards.some((entry) => entry.id === id && isOnTop(entry.card));

function isOnTop(card: HTMLElement): boolean {
  const { left, top, width, height } = card.getBoundingClientRect();
  return [0.1, 0.5, 0.9].some((part) =>
    card.contains(document.elementFromPoint(left + width / 2, top + height * part)),
  );
}
