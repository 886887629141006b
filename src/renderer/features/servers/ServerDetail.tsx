import { Ellipsis, Pencil, Trash2, Wrench } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ServerEntry } from '../../../contract/mcp';
import { standingOf } from '../../../contract/server-state';
import { useAction } from '../../base/core/core';
import type { StateWords } from '../../base/core/server-state';
import { useWhyNot } from '../../base/core/why-not';
import { dropDraft } from '../../base/drafts/form-draft';
import { useLayout } from '../../base/layout/layout';
import type { ServerPage } from '../../base/layout/layout-state';
import { ForeignIcon } from '../../base/parts/ForeignIcon';
import { ServerActions } from '../../base/parts/ServerActions';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Badge, Button, Callout, ConfirmDialog, IconButton, Menu, StatusDot, Switch, Tabs } from '../../ui';
import { ServerFacts } from './ServerFacts';
import { ServerLog } from './ServerLog';
import { ServerPrompts } from './ServerPrompts';
import { ServerResources } from './ServerResources';

export interface ServerDetailProps {
  server: ServerEntry;
  words: StateWords;
  page: ServerPage;
  onPage(page: ServerPage): void;
  onEdit(): void;
}

export function ServerDetail({ server, words, page, onPage, onEdit }: ServerDetailProps) {
  const [removing, setRemoving] = useState(false);
  const setEnabled = useAction('mcp.setEnabled');
  const remove = useAction('mcp.remove');
  const { id: serverId, name } = server;
  const failure = [setEnabled, remove].find(({ error }) => error)?.error;

  const pages: { value: ServerPage; label: string; content: ReactNode }[] = [
    { value: 'overview', label: t('servers.overview'), content: <ServerFacts server={server} /> },
  ];
  if (server.resources) {
    const content = <ServerResources serverId={serverId} />;
    pages.push({ value: 'resources', label: t('servers.resources'), content });
  }
  if (server.prompts) {
    const content = <ServerPrompts serverId={serverId} />;
    pages.push({ value: 'prompts', label: t('servers.prompts'), content });
  }
  pages.push({
    value: 'log',
    label: t('servers.log'),
    content: <ServerLog serverId={serverId} level={server.logLevel} />,
  });

  return (
    <article className="ui-split-detail" aria-label={name} tabIndex={-1}>
      <ServerHead {...{ server, words, setEnabled, failure, onEdit }} onRemove={() => setRemoving(true)} />
      <div className="server-pages">
        <Tabs
          label={name}
          value={pages.some(({ value }) => value === page) ? page : 'overview'}
          onChange={onPage}
          tabs={pages}
        />
      </div>
      {removing && (
        <ConfirmDialog
          title={t('servers.removeTitle', { name })}
          text={t('servers.removeText')}
          confirm={t('servers.remove')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() => remove.mutate({ serverId }, { onSuccess: () => dropDraft(`server ${serverId}`) })}
          onClose={() => setRemoving(false)}
        />
      )}
    </article>
  );
}

interface ServerHeadProps {
  server: ServerEntry;
  words: StateWords;
  setEnabled: ReturnType<typeof useAction<'mcp.setEnabled'>>;
  failure: unknown;
  onEdit(): void;
  onRemove(): void;
}

/** Its name, its state, and what can be done with the whole server. */
function ServerHead({ server, words, setEnabled, failure, onEdit, onRemove }: ServerHeadProps) {
  const { id: serverId, name, state } = server;
  const show = useLayout((layout) => layout.show);
  const whyNot = useWhyNot();
  return (
    <header className="server-head">
      <div className="server-title">
        <ForeignIcon src={server.server?.icon} size={20} />
        <h2>{name}</h2>
        <Badge>{t(`servers.level.${server.level}`)}</Badge>
        <span className="server-switch">
          <Switch
            aria-label={t('servers.enabled', { name })}
            checked={standingOf(state).on}
            waiting={setEnabled.isPending}
            disabled={whyNot !== undefined}
            title={whyNot}
            onChange={(enabled) => setEnabled.mutate({ serverId, enabled })}
          />
        </span>
      </div>
      <p className="server-state" role="status">
        <StatusDot tone={words.tone} moving={words.moving} />
        <span>{words.word}</span>
        {words.detail && <span className="server-state-detail">{words.detail}</span>}
      </p>
      <div className="server-actions">
        <ServerActions serverId={serverId} state={state} onSignIn={null} />
        {server.tools !== null && (
          <Button size="s" onClick={() => show({ kind: 'tools', serverId })}>
            <Wrench size={12} strokeWidth={2} aria-hidden />
            {t('servers.browse')}
          </Button>
        )}
        {server.level !== 'bundled' && (
          <Menu
            align="end"
            items={[
              { label: t('servers.edit'), icon: Pencil, run: onEdit },
              { label: t('servers.remove'), icon: Trash2, danger: true, run: onRemove },
            ]}
          >
            <IconButton icon={Ellipsis} label={t('ui.more')} />
          </Menu>
        )}
      </div>
      {failure !== undefined && failure !== null && <Callout tone="bad">{failureText(failure)}</Callout>}
    </header>
  );
}
