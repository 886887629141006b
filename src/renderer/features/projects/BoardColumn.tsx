import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../base/text/text';
import { classes, StatusDot } from '../../ui';
import { BoardCard } from './BoardCard';
import type { Column } from './board';
import { type HeldCard, heldIn, isHeldIn } from './held-card';
import { statusTone, statusWord } from './words';

export interface BoardColumnProps {
  column: Column;
  current: string | null;
  /** The current card has the focus. */
  hasFocus: boolean;
  shownId: string | null;
  onChoose(id: string): void;
  onOpen(id: string): void;
  onMove(card: HeldCard, status: string): void;
}

export function BoardColumn(props: BoardColumnProps) {
  const { column, current, hasFocus, shownId, onChoose, onOpen, onMove } = props;
  const { status, cards } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 86,
    getItemKey: (index) => cards[index]?.id ?? index,
    gap: 8,
    overscan: 6,
  });
  const at = cards.findIndex(({ id }) => id === current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice, or its arrival here, moves the list.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [current, at >= 0]);
  const name = status === null ? t('board.other') : statusWord(status);
  return (
    <section
      className={classes('board-column', over && 'board-column-over')}
      aria-label={`${name} (${cards.length})`}
      onDragOver={(event) => {
        if (status === null || !isHeldIn(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const card = heldIn(event.dataTransfer);
        if (status !== null && card) onMove(card, status);
      }}
    >
      <h2>
        <StatusDot tone={statusTone(status ?? '')} />
        {name}
        <small>{cards.length}</small>
      </h2>
      <div className="board-cards" ref={scroller}>
        {cards.length === 0 && <p className="board-empty">{t('board.empty')}</p>}
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const card = cards[index];
            return (
              card && (
                <li
                  key={key}
                  data-index={index}
                  ref={virtual.measureElement}
                  style={{ transform: `translateY(${start}px)` }}
                  aria-setsize={cards.length}
                  aria-posinset={index + 1}
                >
                  <BoardCard
                    card={card}
                    current={card.id === current}
                    hasFocus={hasFocus && card.id === current}
                    isShown={card.id === shownId}
                    onChoose={onChoose}
                    onOpen={onOpen}
                    onMove={onMove}
                  />
                </li>
              )
            );
          })}
        </ul>
      </div>
    </section>
  );
}
