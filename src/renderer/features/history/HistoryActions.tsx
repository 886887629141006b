import { Download, RotateCw, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { HistoryFilter } from '../../../contract/history';
import { useAction, useCore } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { download } from '../../base/parts/download';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, ConfirmDialog, IconButton, Menu } from '../../ui';

export interface HistoryActionsProps {
  filter: HistoryFilter;
  /** How many calls fit the filter. */
  total: number;
  isFiltered: boolean;
  onLook(): void;
  onFailure(failure: unknown): void;
}

/** What is done with all calls that fit the filter. */
export function HistoryActions({ filter, total, isFiltered, onLook, onFailure }: HistoryActionsProps) {
  const { isExporting, save } = useExport(onFailure);
  const whyNot = useWhyNot();
  const clear = useAction('history.clear');
  const [asking, setAsking] = useState(false);
  const item = (format: 'json' | 'csv') => ({
    label: t(`history.export.${format}`, { count: total }),
    run: () => void save(filter, format),
  });
  return (
    <>
      <IconButton
        icon={RotateCw}
        label={t('history.refresh')}
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={onLook}
      />
      <Menu align="end" items={[item('json'), item('csv')]}>
        <Button size="s" busy={isExporting} disabled={total === 0 || whyNot !== undefined} title={whyNot}>
          <Download size={14} strokeWidth={1.75} aria-hidden />
          {t('history.export')}
        </Button>
      </Menu>
      <Button
        size="s"
        look="danger"
        disabled={total === 0 || whyNot !== undefined}
        title={whyNot}
        onClick={() => setAsking(true)}
      >
        <Trash2 size={14} strokeWidth={1.75} aria-hidden />
        {t('history.clear')}
      </Button>
      {asking && (
        <ConfirmDialog
          danger
          title={t(isFiltered ? 'history.clearSome' : 'history.clearAll', { count: total })}
          text={t('history.clearText')}
          confirm={t('history.clearYes', { count: total })}
          cancel={t('ui.cancel')}
          onConfirm={() => clear.mutate(filter, { onSuccess: onLook, onError: onFailure })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function useExport(onFailure: (failure: unknown) => void) {
  const core = useCore();
  const [isExporting, setExporting] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = async (filter: HistoryFilter, format: 'json' | 'csv') => {
    const mine = new AbortController();
    running.current = mine;
    setExporting(true);
    try {
      const pieces: string[] = [];
      const input = { ...filter, format };
      for await (const piece of core.stream('history.export', input, { signal: mine.signal, waits: false }))
        pieces.push(piece);
      const type = format === 'json' ? 'application/json' : 'text/csv';
      download(new Blob(pieces, { type }), `tool-calls.${format}`);
    } catch (error) {
      if (!mine.signal.aborted) onFailure(error);
    } finally {
      setExporting(false);
    }
  };
  return { isExporting, save };
}

export function Failure({ failure }: { failure: unknown }) {
  return failure === null ? null : <Callout tone="bad">{failureText(failure)}</Callout>;
}
