import type { ConfigProblem, ServerPicture } from '../../contract/mcp';
import { Button, Callout, StatusDot } from '../ui';
import { useLayout } from './layout';
import { useNow } from './now';
import { stateWords, summarise } from './server-state';
import { t } from './text';

export function StatusPopover({
  servers,
  problems,
}: {
  servers: ServerPicture[];
  problems: ConfigProblem[];
}) {
  const openView = useLayout((layout) => layout.openView);
  const now = useNow(
    1_000,
    servers.some(({ state }) => state.kind === 'waiting'),
  );
  const { failing, enabled } = summarise(servers);
  const headline =
    enabled === 0
      ? t('status.noServers')
      : failing > 0
        ? t('status.failing', { n: failing })
        : t('status.allGood');
  return (
    <div className="status-popover">
      <h2>{headline}</h2>
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
              <StatusDot tone={words.tone} moving={words.moving} />
              <span className="status-popover-name">{server.name}</span>
              <span className="status-popover-state" title={words.detail}>
                {words.word}
              </span>
              <span className="status-popover-tools">
                {server.tools === null ? '' : t('status.tools', { n: server.tools })}
              </span>
            </li>
          );
        })}
      </ul>
      <footer>
        <Button size="s" look="quiet" onClick={() => openView('servers')}>
          {t('status.openServers')}
        </Button>
        <Button size="s" look="quiet" onClick={() => openView('health')}>
          {t('status.openHealth')}
        </Button>
      </footer>
    </div>
  );
}
