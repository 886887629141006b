import { Play } from 'lucide-react';
import type { HistoryEntry } from '../../../contract/history';
import { useCoreState } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { bytes, dayAndTime, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Badge, Button, Callout, CopyButton, Facts, Tooltip } from '../../ui';
import { statusTones } from './CallList';
import { approvalWords, reasonWords } from './call-words';

export function CallDetail({ call }: { call: HistoryEntry }) {
  const openNote = useLayout((layout) => layout.openNote);
  const { path } = call;
  const args = parsed(call.arguments);
  const reason = reasonWords(call);
  return (
    <article className="ui-split-detail history-detail" aria-label={t('history.detail')}>
      <header>
        <h2>{visible(call.tool)}</h2>
        <Badge tone={statusTones[call.status]}>{t(`history.status.${call.status}`)}</Badge>
        {call.cached && <Badge>{t('tools.result.cached')}</Badge>}
        <RunAgain call={call} args={args} />
      </header>
      {reason && <Callout tone={call.status === 'error' ? 'bad' : 'neutral'}>{visible(reason)}</Callout>}
      <Facts
        facts={[
          [t('history.at'), dayAndTime(call.at)],
          [t('history.by'), t(`history.who.${call.by}`)],
          [t('history.server'), visible(call.serverName)],
          [
            t('history.note'),
            path !== null && (
              <Button key="note" size="s" className="history-note" onClick={() => openNote(path)}>
                {visible(path)}
              </Button>
            ),
          ],
          [t('history.duration'), shortMs(call.ms)],
          [t('history.size'), bytes(call.resultBytes)],
          [t('history.approval'), approvalWords(call)],
        ]}
      />
      <section className="ui-section">
        <h3>
          {t('history.arguments')} <CopyButton text={call.arguments} />
        </h3>
        <pre className="ui-code">{visible(args ? JSON.stringify(args, null, 2) : call.arguments)}</pre>
      </section>
    </article>
  );
}

/** In the tool browser, where everything can be looked at and changed before it runs. */
function RunAgain({ call, args }: { call: HistoryEntry; args: Record<string, unknown> | null }) {
  const show = useLayout((layout) => layout.show);
  const catalog = useCoreState('tools.catalog', {});
  const { serverId, tool } = call;
  const isThere = catalog?.some((one) => one.serverId === serverId && one.name === tool) ?? false;
  // Secrets are hidden in the history; running it with what stands for them would be another call.
  const isWhole = args !== null && !call.arguments.includes('•••');
  const why = !isThere ? t('history.againGone') : !isWhole ? t('history.againCut') : null;
  return (
    <Tooltip text={why ?? t('history.againHint')} side="bottom">
      <span className="history-again">
        <Button
          size="s"
          disabled={why !== null}
          onClick={() => show({ kind: 'tools', serverId, tool: { name: tool, arguments: args ?? {} } })}
        >
          <Play size={14} strokeWidth={1.75} aria-hidden />
          {t('history.again')}
        </Button>
      </span>
    </Tooltip>
  );
}

/** Arguments are cut at a length, so they may not be whole JSON. */
function parsed(json: string): Record<string, unknown> | null {
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return null;
  }
}
