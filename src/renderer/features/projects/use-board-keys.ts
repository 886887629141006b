import type { KeyboardEvent } from 'react';
import { type columnsOf, neighbour, statusBeside } from './board';
import type { Moves } from './use-moves';
import { useChoice } from './use-project';

interface BoardKeysParts {
  readonly columns: ReturnType<typeof columnsOf>;
  /** The id of the chosen card. */
  readonly current: string | null;
  readonly moves: Moves;
  choose(id: string): void;
}

/** The keys of the board: arrows choose a card, with Shift they move it, Enter shows it. */
export function useBoardKeys({ columns, current, moves, choose }: BoardKeysParts) {
  const { set } = useChoice();
  return (event: KeyboardEvent<HTMLElement>) => {
    const card = columns.flatMap((column) => column.cards).find(({ id }) => id === current);
    if (!card || event.altKey || event.ctrlKey || event.metaKey) return;
    switch (event.key) {
      case 'ArrowUp':
      case 'ArrowDown':
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End': {
        if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
          const status = statusBeside(moves.statusOf(card), event.key === 'ArrowLeft' ? -1 : 1);
          if (status !== null) {
            // The next press may come before the card is drawn in its new column, and takes the focus again.
            event.currentTarget.focus();
            moves.move(card, status);
          }
          choose(card.id);
          break;
        }
        const next = neighbour(columns, card.id, event.key);
        if (next !== null) choose(next);
        break;
      }
      case 'Enter':
      case ' ':
        set({ shownId: card.id });
        break;
      default:
        return;
    }
    event.preventDefault();
  };
}
