import { useCoreState } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useStateWords } from '../../base/core/use-state-words';
import { useLayout } from '../../base/layout/layout';
import { Awaited, LastKnown } from '../../base/parts/NotConnected';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field, StatusDot, Switch } from '../../ui';
import { NumberField } from './NumberField';
import { useSettings } from './use-settings';

export function Servers() {
  const state = useCoreState('mcp.servers', {});
  const { openServer, openView, hideModal } = useLayout();
  const now = useNow(1_000);
  const stateWords = useStateWords();
  if (!state) return <Awaited />;
  return (
    <div className="settings-fields">
      <LastKnown />
      <p className="settings-quiet">{t('settings.serversText')}</p>
      <Watching />
      <ul className="settings-list">
        {state.servers.map((server) => {
          const words = stateWords(server.state, now);
          return (
            <li key={server.id}>
              <StatusDot tone={words.tone} moving={words.moving} />
              <span className="settings-list-text">
                <span>{server.name}</span>
                <small>{words.word}</small>
              </span>
              <Button
                size="s"
                onClick={() => {
                  hideModal();
                  openServer(server.id, 'overview');
                }}
              >
                {t('files.open')}
              </Button>
            </li>
          );
        })}
      </ul>
      <div>
        <Button
          onClick={() => {
            hideModal();
            openView('servers');
          }}
        >
          {t('settings.openServers')}
        </Button>
      </div>
    </div>
  );
}

/** How closely servers are watched that say nothing else of themselves. */
function Watching() {
  const { settings, change, replace, error } = useSettings();
  if (!settings) return null;
  const { monitoring, checkInterval, restarts } = settings.servers;
  return (
    <>
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      <Field row label={t('settings.monitoring')} hint={t('settings.monitoringHint')}>
        {({ id }) => (
          <Switch
            id={id}
            checked={monitoring}
            onChange={(next) => change({ servers: { monitoring: next } })}
          />
        )}
      </Field>
      {monitoring && (
        <NumberField
          name="servers.checkInterval"
          label={t('settings.checkInterval')}
          hint={t('settings.seconds')}
          value={Math.round(checkInterval / 1_000)}
          min={1}
          max={86_400}
          onChange={(seconds) => replace({ servers: { checkInterval: seconds * 1_000 } })}
        />
      )}
      <NumberField
        name="servers.restarts"
        label={t('settings.restarts')}
        hint={t('settings.restartsHint')}
        value={restarts}
        min={0}
        max={100}
        onChange={(next) => replace({ servers: { restarts: next } })}
      />
    </>
  );
}
