import type { ServerEntry } from '../../../contract/mcp';
import { useCoreState } from '../../base/core/core';
import { reasonText } from '../../base/text/error-words';
import { rejectedWords } from '../../base/text/fault-words';
import { compact, dayAndTime, shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Callout, Facts } from '../../ui';
import { ServerFolders } from './ServerFolders';
import { ServerSandbox } from './ServerSandbox';
import { SignIn } from './SignIn';

export function ServerFacts({ server }: { server: ServerEntry }) {
  const { lastError, rejected, state } = server;
  /** What stands beside the state already is not said twice. */
  const problem = lastError && reasonText(lastError.reason);
  const isSaid = 'reason' in state && reasonText(state.reason) === problem;
  const local = server.transport === 'stdio';
  const catalog = useCoreState('tools.catalog', {}) ?? [];
  const on = catalog.filter(({ serverId, enabled }) => serverId === server.id && enabled);
  const weight = on.reduce((sum, { tokens }) => sum + tokens, 0);
  return (
    <div className="server-facts">
      <SignIn server={server} />
      {lastError && !isSaid && (
        <Callout tone="bad" title={`${t('servers.lastError')} · ${dayAndTime(lastError.at)}`}>
          {problem}
        </Callout>
      )}
      {rejected.length > 0 && (
        <Callout tone="warn" title={t('servers.rejected', { count: rejected.length })}>
          {rejected.map((one) => {
            const { name, why } = rejectedWords(one);
            return (
              <p key={one.number}>
                <code>{name}</code>: {why}
              </p>
            );
          })}
        </Callout>
      )}
      <Facts
        facts={[
          [t(local ? 'servers.command' : 'servers.address'), <code key="target">{server.target}</code>],
          [t('servers.transport'), server.transport],
          [t('servers.folder'), server.cwd && <code>{server.cwd}</code>],
          [t('servers.environment'), masked(server.env)],
          [t('servers.headers'), masked(server.headers)],
          [t('servers.reports'), server.server && `${server.server.name} ${server.server.version}`],
          [
            t('servers.offers'),
            server.tools === null
              ? t('servers.toolsUnknown')
              : t('servers.offersText', {
                  tools: t('status.tools', { count: server.tools }),
                  resources: t('servers.countResources', { count: server.resources ?? 0 }),
                  prompts: t('servers.countPrompts', { count: server.prompts ?? 0 }),
                }),
          ],
          [
            t('servers.weight'),
            weight > 0 && t('servers.weightText', { tokens: compact(weight), count: on.length }),
          ],
          [t('servers.startsBy'), t(server.autostart ? 'servers.autostart' : 'servers.ondemand')],
          [t('servers.timeout'), server.timeout === null ? t('servers.default') : shortMs(server.timeout)],
        ]}
      />
      <ServerSandbox server={server} />
      {server.level !== 'bundled' && <ServerFolders server={server} />}
    </div>
  );
}

function masked(values: ServerEntry['env']) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return entries.map(([name, value]) => (
    <p key={name}>
      <code>
        {name} = {value.kind !== 'hidden' ? value.text : <em>{t('servers.hidden')}</em>}
      </code>
    </p>
  ));
}
