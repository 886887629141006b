import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import { useConnected } from '../../base/core/connected';
import { useCoreState } from '../../base/core/core';
import { NotConnected } from '../../base/parts/NotConnected';
import { compact } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Dialog, IconButton, rowAfterKey, SearchField, Select } from '../../ui';
import { findAmong } from './find-tools';
import { ToolDetail, type ToolDetailProps } from './ToolDetail';
import { ToolList } from './ToolList';
import './tools.css';

const everyServer = '*';
const keyOf = (tool: { serverId: string; name: string }) => `${tool.serverId}/${tool.name}`;

export interface ToolBrowserProps {
  /** Only the tools of this server, at first. */
  serverId: string | null;
  /** The tool to begin with, and what it is to be tried with. */
  first: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
  approvalFor: ToolDetailProps['approvalFor'];
  view: ToolDetailProps['view'];
  onClose(): void;
}

/** Which tool is shown depends on the search, the server and what was shown before, and is decided in one place. */
export function ToolBrowser({ serverId, first, approvalFor, view, onClose }: ToolBrowserProps) {
  const catalog = useCoreState('tools.catalog', {});
  const lastUsed = useCoreState('tools.lastUsed', {});
  const connected = useConnected();
  const [query, setQuery] = useState('');
  const [server, setServer] = useState(serverId ?? everyServer);
  const [chosen, setChosen] = useState(
    first && serverId !== null ? keyOf({ serverId, name: first.name }) : null,
  );

  const tools = useMemo(
    () => (catalog ?? []).filter((tool) => server === everyServer || tool.serverId === server),
    [catalog, server],
  );
  const find = useMemo(() => findAmong(tools, lastUsed ?? []), [tools, lastUsed]);
  const results = useMemo(() => find(query), [find, query]);
  // What is shown stays until something else is chosen or looked for, also while its server does not offer it.
  const [last, setLast] = useState<{ tool: ToolEntry; query: string; server: string } | null>(null);
  const lastTool = last && last.query === query && last.server === server ? last.tool : null;
  const lastToolNow = lastTool && (tools.find((tool) => keyOf(tool) === keyOf(lastTool)) ?? lastTool);
  const current = results.find((tool) => keyOf(tool) === chosen) ?? lastToolNow ?? results[0];
  if (current && (last?.tool !== current || lastTool === null)) setLast({ tool: current, query, server });

  const servers = useMemo(() => {
    const names = new Map((catalog ?? []).map((tool) => [tool.serverId, tool.serverName]));
    const weightOf = (id: string) =>
      (catalog ?? []).reduce(
        (sum, { serverId: of, tokens, enabled }) => sum + (of === id && enabled ? tokens : 0),
        0,
      );
    return [
      { value: everyServer, label: t('tools.all') },
      ...[...names].map(([value, label]) => ({ value, label, hint: compact(weightOf(value)) })),
    ];
  }, [catalog]);
  const on = tools.filter(({ enabled, callers }) => enabled && (callers?.includes('model') ?? true));
  const weight = on.reduce((sum, { tokens }) => sum + tokens, 0);

  return (
    <Dialog title={t('tools.title')} size="xl" bare onClose={onClose}>
      <div className="tools">
        <div className="tools-side">
          <div className="tools-find">
            <SearchField
              autoFocus
              label={t('tools.search')}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => {
                const at = current ? results.indexOf(current) : -1;
                const next = results[rowAfterKey(event.key, at, results.length, { isInText: true }) ?? -1];
                if (!next) return;
                event.preventDefault();
                setChosen(keyOf(next));
              }}
            />
            <Select
              size="s"
              aria-label={t('tools.all')}
              value={server}
              options={servers}
              onChange={setServer}
            />
          </div>
          <ToolList
            tools={results}
            current={current}
            loaded={catalog !== undefined}
            searched={query.trim() !== ''}
            onChoose={(tool) => setChosen(keyOf(tool))}
          />
          {catalog && (
            <p className="tools-total">{t('tools.total', { count: on.length, tokens: compact(weight) })}</p>
          )}
        </div>
        {!catalog && !connected && <NotConnected />}
        {current && (
          <ToolDetail
            key={keyOf(current)}
            tool={current}
            offered={tools.includes(current)}
            tried={
              first && current.serverId === serverId && current.name === first.name ? first.arguments : null
            }
            approvalFor={approvalFor}
            view={view}
            onClose={onClose}
          />
        )}
        {/* One for all tools: the focus stays on it when another tool is shown, or none. */}
        <IconButton icon={X} label={t('ui.close')} onClick={onClose} className="tools-close" />
      </div>
    </Dialog>
  );
}
