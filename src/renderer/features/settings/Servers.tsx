import { usePicture } from '../../app/core';
import { useLayout } from '../../app/layout';
import { useNow } from '../../app/now';
import { stateWords } from '../../app/server-state';
import { t } from '../../app/text';
import { Button, StatusDot } from '../../ui';

export function Servers() {
  const picture = usePicture('mcp.servers', {});
  const { openServer, openView, hideModal } = useLayout();
  const now = useNow(1_000);
  return (
    <div className="settings-fields">
      <p className="settings-quiet">{t('settings.serversText')}</p>
      <ul className="settings-list">
        {picture?.servers.map((server) => {
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
