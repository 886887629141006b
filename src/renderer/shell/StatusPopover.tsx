import type { ItemOf } from '../../contract/define';
import type { ServerEntry } from '../../contract/mcp';
import type { AppOperations } from '../../contract/operations';
import { useConnected } from '../base/core/connected';
import { useAction, useCoreState } from '../base/core/core';
import { useNow } from '../base/core/now';
import { summarise } from '../base/core/server-state';
import { useStateWords } from '../base/core/use-state-words';
import { useLayout } from '../base/layout/layout';
import { t } from '../base/text/text';
import { Button, Callout, StatusDot } from '../ui';

export function StatusPopover({ servers, problems, paused }: ItemOf<AppOperations['mcp.servers']>) {
  const { openView, openServer } = useLayout();
  const limits = useCoreState('tools.limits', {});
  const setPaused = useAction('mcp.setPaused');
  const connected = useConnected();
  const stateWords = useStateWords();
  const now = useNow(
    1_000,
    servers.some(({ state }) => state.kind === 'waiting'),
  );
  return (
    <div className="status-popover">
      <h2>{connected ? headline(servers) : t('note.notConnected')}</h2>
      {paused && <Callout tone="warn">{t('status.pausedText')}</Callout>}
      {problems.map((problem) => (
        <Callout
          key={`${problem.file} ${problem.server}`}
          tone={problem.kind === 'wrong' ? 'bad' : 'neutral'}
          title={problem.server ?? problem.file}
        >
          {problem.message}
        </Callout>
      ))}
      <ul>
        {servers.map((server) => {
          const words = stateWords(server.state, now);
          return (
            <li key={server.id}>
              <button
                type="button"
                className="status-popover-server"
                onClick={() => openServer(server.id, 'overview')}
              >
                <StatusDot tone={words.tone} moving={words.moving} />
                <span className="status-popover-name">{server.name}</span>
                <span className="status-popover-state" title={words.detail}>
                  {words.word}
                </span>
                <span className="status-popover-tools">
                  {server.tools === null ? '' : t('status.tools', { count: server.tools })}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {connected && limits && (
        <p className="status-popover-limits">
          {t('status.running', { count: limits.running, most: limits.atOnce })}
          {limits.waiting > 0 && ` · ${t('status.inLine', { count: limits.waiting })}`}
        </p>
      )}
      <footer>
        <Button size="s" look="quiet" onClick={() => openView('servers')}>
          {t('status.openServers')}
        </Button>
        <Button size="s" look="quiet" onClick={() => openView('health')}>
          {t('status.openHealth')}
        </Button>
        <Button
          size="s"
          look="quiet"
          busy={setPaused.isPending}
          onClick={() => setPaused.mutate({ paused: !paused })}
        >
          {t(paused ? 'status.resume' : 'status.pause')}
        </Button>
      </footer>
    </div>
  );
}

function headline(servers: readonly ServerEntry[]): string {
  const { active, serving, troubled, slow, starting, idle } = summarise(servers);
  if (servers.length === 0) return t('status.noServers');
  if (active === 0) return t('status.noneOn');
  if (troubled > 0) return t('status.failing', { count: troubled });
  if (slow > 0) return t('status.slow', { count: slow });
  if (starting > 0) return t('status.startingN', { count: starting });
  return serving === active ? t('status.allGood') : t('status.idle', { count: idle });
}
