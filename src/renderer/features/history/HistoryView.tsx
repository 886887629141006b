import { History, RotateCw, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { CallStatus } from '../../../contract/tools';
import { usePicture } from '../../app/core';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { Button, Callout, EmptyState, IconButton, Page, SearchField, Select } from '../../ui';
import { CallDetail } from './CallDetail';
import { CallList } from './CallList';
import { useHistory } from './use-history';
import './history.css';

const any = '*';

export function HistoryView() {
  const servers = usePicture('mcp.servers', {})?.servers ?? [];
  const [server, setServer] = useState(any);
  const [status, setStatus] = useState<CallStatus | typeof any>(any);
  const [tool, setTool] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const filter = {
    serverId: server === any ? undefined : server,
    status: status === any ? undefined : status,
  };
  const history = useHistory(filter);
  const all = useMemo(() => history.data?.pages.flat() ?? [], [history.data]);
  const wanted = tool.trim().toLowerCase();
  const shown = useMemo(() => all.filter((call) => call.tool.toLowerCase().includes(wanted)), [all, wanted]);
  const detail = shown.find(({ callId }) => callId === chosen) ?? shown[0];
  const filtered = server !== any || status !== any || wanted !== '';

  return (
    <Page
      title={t('history.title')}
      text={t('history.text')}
      fill
      actions={
        <IconButton icon={RotateCw} label={t('history.refresh')} onClick={() => void history.refetch()} />
      }
    >
      <div className="history-filters">
        <SearchField
          className="history-find"
          label={t('history.tool')}
          value={tool}
          onChange={(event) => setTool(event.target.value)}
        />
        <Select
          size="s"
          aria-label={t('history.allServers')}
          value={server}
          options={[
            { value: any, label: t('history.allServers') },
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={setServer}
        />
        <Select
          size="s"
          aria-label={t('history.anyStatus')}
          value={status}
          options={[
            { value: any, label: t('history.anyStatus') },
            ...CallStatus.options.map((value) => ({ value, label: t(`history.status.${value}`) })),
          ]}
          onChange={setStatus}
        />
      </div>
      {history.error && <Callout tone="bad">{failureText(history.error)}</Callout>}
      {history.isSuccess && shown.length === 0 && (
        <EmptyState
          icon={filtered ? SearchX : History}
          title={t(filtered ? 'history.noMatch' : 'history.none')}
          text={filtered ? '' : t('history.noneText')}
        />
      )}
      {detail && (
        <div className="ui-split history-split">
          <div className="history-calls">
            <CallList calls={shown} shown={detail} onChoose={({ callId }) => setChosen(callId)} />
            {history.hasNextPage && (
              <Button
                size="s"
                look="quiet"
                busy={history.isFetchingNextPage}
                onClick={() => void history.fetchNextPage()}
              >
                {t('history.more')}
              </Button>
            )}
          </div>
          <CallDetail call={detail} />
        </div>
      )}
    </Page>
  );
}
