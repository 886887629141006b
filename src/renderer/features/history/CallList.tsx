import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { HistoryEntry } from '../../../contract/history';
import type { CallStatus } from '../../../contract/tools';
import { useNow } from '../../base/core/now';
import { ago, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { rowAfterKey, StatusDot, type Tone } from '../../ui';

export const statusTones: Record<CallStatus, Tone> = {
  ok: 'good',
  error: 'bad',
  cancelled: 'neutral',
  denied: 'warn',
  interrupted: 'warn',
};

/** Rows before the last at which more are fetched. */
const nearEnd = 30;

export interface CallListProps {
  calls: readonly HistoryEntry[];
  selection: HistoryEntry;
  onChoose(call: HistoryEntry): void;
  /** The last ones are in sight. */
  onEnd(): void;
}

export function CallList({ calls, selection, onChoose, onEnd }: CallListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(30_000);
  const at = calls.indexOf(selection);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 48,
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list.
  useEffect(() => virtual.scrollToIndex(at, { align: 'auto' }), [at]);

  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again only when the end is another one.
  useEffect(() => {
    if (calls.length > 0 && last >= calls.length - nearEnd) onEnd();
  }, [last, calls.length]);

  return (
    <div
      className="history-list"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label={t('history.title')}
      aria-activedescendant={`call-${at}`}
      onKeyDown={(event) => {
        const next = calls[rowAfterKey(event.key, at, calls.length) ?? -1];
        if (!next) return;
        event.preventDefault();
        onChoose(next);
      }}
    >
      <div className="history-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const call = calls[index];
          if (!call) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the list.
            <div
              key={call.id}
              id={`call-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={call === selection}
              className="ui-choice history-row"
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onChoose(call)}
            >
              <StatusDot tone={statusTones[call.status]} label={t(`history.status.${call.status}`)} />
              <span className="ui-choice-text">
                <span>{visible(call.tool)}</span>
                <small>
                  {visible(call.serverName)} · {t(`history.who.${call.by}`)} · {ago(call.at, now)}
                </small>
              </span>
              <span className="history-ms">{shortMs(call.ms)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
