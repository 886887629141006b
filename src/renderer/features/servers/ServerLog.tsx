import { ScrollText } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { LogLevel } from '../../../contract/mcp';
import { useAction, useCoreState } from '../../base/core/core';
import { clockTime } from '../../base/text/format';
import { t } from '../../base/text/text';
import { CopyButton, EmptyState, ScrollArea, SearchField, Select } from '../../ui';

/** What the server wrote; follows the end only for a reader who is there. */
export function ServerLog({ serverId, level }: { serverId: string; level: LogLevel }) {
  const lines = useCoreState('mcp.log', { serverId });
  const [filter, setFilter] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const matches = useMemo(() => {
    const words = filter.trim().toLowerCase();
    return (lines ?? []).filter(({ text }) => text.toLowerCase().includes(words));
  }, [lines, filter]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line moves the end.
  useLayoutEffect(() => {
    const area = scroller.current;
    if (area && atEnd.current) area.scrollTop = area.scrollHeight;
  }, [matches]);

  const whole = () => matches.map(({ at, text }) => `${new Date(at).toISOString()} ${text}`).join('\n');
  return (
    <div className="server-log">
      <div className="server-log-tools">
        <SearchField
          label={t('servers.logFilter')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Level serverId={serverId} level={level} />
        <CopyButton text={whole()} />
      </div>
      {lines?.length === 0 && <EmptyState icon={ScrollText} title={t('servers.noLog')} />}
      <ScrollArea
        ref={scroller}
        className="server-log-lines"
        role="log"
        aria-label={t('servers.log')}
        onScroll={({ currentTarget: area }) => {
          atEnd.current = area.scrollTop + area.clientHeight > area.scrollHeight - 24;
        }}
      >
        {matches.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and are never reordered.
          <p key={at} className={`server-log-${line.from}`}>
            <time>{clockTime(line.at)}</time>
            <span>{line.text}</span>
          </p>
        ))}
      </ScrollArea>
    </div>
  );
}

function Level({ serverId, level }: { serverId: string; level: LogLevel }) {
  const update = useAction('mcp.update');
  return (
    <Select
      size="s"
      aria-label={t('servers.logLevel')}
      value={update.isPending ? (update.variables.changes.logLevel ?? level) : level}
      options={LogLevel.options.map((value) => ({ value, label: t(`servers.logLevel.${value}`) }))}
      onChange={(logLevel) => update.mutate({ serverId, changes: { logLevel } })}
    />
  );
}
