import type { HistoryEntry } from '../../../contract/tools';
import { bytes, dayAndTime, shortMs } from '../../app/format';
import { useLayout } from '../../app/layout';
import { t } from '../../app/text';
import { Badge, Button, Callout, CopyButton, Facts } from '../../ui';
import { statusTones } from './CallList';

export function CallDetail({ call }: { call: HistoryEntry }) {
  const openNote = useLayout((layout) => layout.openNote);
  const { path } = call;
  return (
    <article className="ui-split-detail history-detail" aria-label={t('history.detail')}>
      <header>
        <h2>{call.tool}</h2>
        <Badge tone={statusTones[call.status]}>{t(`history.status.${call.status}`)}</Badge>
        {call.cached && <Badge>{t('tools.result.cached')}</Badge>}
      </header>
      {call.error && <Callout tone="bad">{call.error}</Callout>}
      <Facts
        facts={[
          [t('history.at'), dayAndTime(call.at)],
          [t('history.by'), t(`history.by.${call.by}`)],
          [t('history.server'), call.serverName],
          [
            t('history.note'),
            path !== null && (
              <Button key="note" size="s" className="history-note" onClick={() => openNote(path)}>
                {path}
              </Button>
            ),
          ],
          [t('history.duration'), shortMs(call.ms)],
          [t('history.size'), bytes(call.resultBytes)],
          [t('history.approval'), call.approval],
        ]}
      />
      <section className="ui-section">
        <h3>
          {t('history.arguments')} <CopyButton text={call.arguments} />
        </h3>
        <pre className="ui-code">{pretty(call.arguments)}</pre>
      </section>
    </article>
  );
}

/** Arguments are cut at a length, so they may not be whole JSON. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
