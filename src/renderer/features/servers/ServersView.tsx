import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import type { ConfigProblem, ServerEntry } from '../../../contract/mcp';
import { useCoreState } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import type { StateWords } from '../../base/core/server-state';
import { useStateWords } from '../../base/core/use-state-words';
import { useLastSeen } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { ForeignIcon } from '../../base/parts/ForeignIcon';
import { LastKnown, NotConnected } from '../../base/parts/NotConnected';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, Page, StatusDot } from '../../ui';
import { AddServers } from './AddServers';
import { EditServer } from './EditServer';
import { ExportServers } from './ExportServers';
import { ServerDetail } from './ServerDetail';
import './servers.css';
import './sandbox.css';

export function ServersView() {
  const mcp = useCoreState('mcp.servers', {});
  const { server: current, openServer, adding, addServers, closeAdding } = useLayout();
  const [exporting, setExporting] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const stateWords = useStateWords();
  const servers = mcp?.servers ?? [];
  const now = useNow(
    1_000,
    servers.some(({ state }) => state.kind === 'waiting'),
  );
  const wordsOf = ({ state }: ServerEntry) => stateWords(state, now);
  const edited = servers.find(({ id }) => id === editing);
  const shownEdited = useLastSeen(editing, edited);
  const selected = servers.find(({ id }) => id === current.id) ?? servers[0];
  const add = (
    <Button look="primary" onClick={() => addServers('')}>
      <Plus size={14} strokeWidth={2} aria-hidden />
      {t('servers.add')}
    </Button>
  );

  const actions = (
    <>
      {servers.some(({ level }) => level !== 'bundled') && (
        <Button onClick={() => setExporting(true)}>{t('servers.export')}</Button>
      )}
      {add}
    </>
  );

  return (
    <Page title={t('servers.title')} text={t('servers.text')} actions={servers.length > 0 && actions} fill>
      <Problems kind="wrong" problems={mcp?.problems ?? []} />
      <Problems kind="waits" problems={mcp?.problems ?? []} />
      {mcp ? <LastKnown /> : <NotConnected />}
      {mcp && servers.length === 0 && (
        <EmptyState icon={Server} title={t('servers.none')} text={t('servers.noneText')}>
          {add}
        </EmptyState>
      )}
      {selected && (
        <div className="ui-split">
          <ServerList {...{ servers, selected, wordsOf }} onSelect={(id) => openServer(id, current.page)} />
          <ServerDetail
            key={selected.id}
            server={selected}
            words={wordsOf(selected)}
            page={current.page}
            onPage={(page) => openServer(selected.id, page)}
            onEdit={() => setEditing(selected.id)}
          />
        </div>
      )}
      {shownEdited && (
        <EditServer
          key={shownEdited.id}
          server={shownEdited}
          removed={mcp !== undefined && !edited}
          onClose={() => setEditing(null)}
        />
      )}
      {exporting && <ExportServers onClose={() => setExporting(false)} />}
      {adding !== null && (
        <AddServers
          key={adding}
          text={adding}
          onClose={closeAdding}
          onAdded={([id]) => {
            closeAdding();
            if (id) openServer(id, 'overview');
          }}
        />
      )}
    </Page>
  );
}

interface ServerListProps {
  servers: readonly ServerEntry[];
  selected: ServerEntry;
  wordsOf(server: ServerEntry): StateWords;
  onSelect(id: string): void;
}

function ServerList({ servers, selected, wordsOf, onSelect }: ServerListProps) {
  return (
    <ul className="ui-split-list" aria-label={t('servers.list')}>
      {servers.map((server) => {
        const words = wordsOf(server);
        return (
          <li key={server.id}>
            <button
              type="button"
              className="ui-choice"
              aria-current={server === selected}
              onClick={() => onSelect(server.id)}
            >
              <StatusDot tone={words.tone} moving={words.moving} />
              <span className="ui-choice-text">
                <span>{server.name}</span>
                <small>{words.word}</small>
              </span>
              <ForeignIcon src={server.server?.icon} size={16} />
              {server.tools !== null && (
                <span className="server-count">{t('status.tools', { count: server.tools })}</span>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Problems({ kind, problems }: { kind: ConfigProblem['kind']; problems: readonly ConfigProblem[] }) {
  const own = problems.filter((problem) => problem.kind === kind);
  if (own.length === 0) return null;
  return (
    <Callout
      tone={kind === 'wrong' ? 'bad' : 'neutral'}
      title={t(kind === 'wrong' ? 'servers.problems' : 'servers.waiting')}
    >
      {own.map(({ file, server, message }) => (
        <p key={`${file} ${server}`}>
          {kind === 'wrong' ? `${[file, server].filter(Boolean).join(' · ')}: ${message}` : server}
        </p>
      ))}
    </Callout>
  );
}
