import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';

const rowHeight = 28;

export interface LongListProps {
  count: number;
  /** What scrolls; several lists may share it. */
  scroller: RefObject<HTMLElement | null>;
  row(at: number): ReactNode;
}

/** Rows of one height, of which only those on the screen are made. */
export function LongList({ count, scroller, row }: LongListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
  });
  return (
    <ul ref={list} className="context-list context-long" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, start }) => (
        <li key={index} style={{ transform: `translateY(${start - top}px)` }}>
          {row(index)}
        </li>
      ))}
    </ul>
  );
}
