import { CirclePause, Folder, LifeBuoy } from 'lucide-react';
import { Suspense } from 'react';
import type { VaultState } from '../../contract/vault';
import { useConnected } from '../base/core/connected';
import { useAction, useCoreState } from '../base/core/core';
import { summarise } from '../base/core/server-state';
import { useLayout } from '../base/layout/layout';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { waiting } from '../base/parts/TrustBanner';
import { t } from '../base/text/text';
import { Badge, Button, Popover, preloaded, StatusDot } from '../ui';
import { RunStatus } from './RunStatus';

const ApprovalTray = preloaded(() => import('../features/approvals').then((door) => door.ApprovalTray));
const ServerQuestions = preloaded(() =>
  import('../features/elicitation').then((door) => door.ServerQuestions),
);
const StatusPopover = preloaded(() => import('./StatusPopover').then((file) => file.StatusPopover));

type Vault = Extract<VaultState, { kind: 'open' }>;

export function StatusBar({ vault, isLost }: { vault: Vault; isLost: boolean }) {
  return (
    <footer className="status-bar">
      <span className="status-item" title={vault.path}>
        <Folder size={12} strokeWidth={1.75} aria-hidden />
        {vault.name}
        {isLost && <Badge tone="warn">{t('status.vaultLost')}</Badge>}
        {!isLost && !vault.writable && <Badge tone="warn">{t('status.vaultReadOnly')}</Badge>}
        {waiting(vault).length > 0 && (
          <Badge tone="warn">{t(vault.trusted ? 'status.waiting' : 'status.untrusted')}</Badge>
        )}
      </span>
      <ErrorBoundary small>
        <Recovered />
      </ErrorBoundary>
      <span className="status-space" />
      <ErrorBoundary small>
        <Suspense>
          <ServerQuestions />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary small>
        <Suspense>
          <ApprovalTray />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary small>
        <RunStatus />
      </ErrorBoundary>
      <ErrorBoundary small>
        <Mcp />
      </ErrorBoundary>
    </footer>
  );
}

/** What nobody has looked after yet; both sides of a conflict are in their note already. */
function Recovered() {
  const texts = useCoreState('recovery.list', {})?.texts ?? [];
  const show = useLayout((layout) => layout.show);
  const count = texts.filter(({ reason, restored }) => reason !== 'conflict' && restored === null).length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="status-item status-button"
      onClick={() => show({ kind: 'recovery', about: null })}
    >
      <LifeBuoy size={12} strokeWidth={1.75} aria-hidden />
      {t('recovery.status', { count })}
    </button>
  );
}

function Mcp() {
  const state = useCoreState('mcp.servers', {});
  const connected = useConnected();
  if (!state) return null;
  const { serving, active, tools, troubled, starting, tone } = summarise(state.servers);
  const isWrong = state.problems.some(({ kind }) => kind === 'wrong');
  return (
    <>
      {state.paused && <Paused />}
      <Popover
        label={t('ribbon.servers')}
        side="top"
        align="end"
        trigger={
          <button type="button" className="status-item status-button">
            <StatusDot
              tone={!connected ? 'neutral' : isWrong ? 'bad' : tone}
              moving={connected && starting > 0}
            />
            {t('status.mcp', { serving, active })} · {t('status.tools', { count: tools })}
            {troubled > 0 && (
              <span className="visually-hidden">{t('status.failing', { count: troubled })}</span>
            )}
          </button>
        }
      >
        <ErrorBoundary>
          <Suspense>
            <StatusPopover {...state} />
          </Suspense>
        </ErrorBoundary>
      </Popover>
    </>
  );
}

function Paused() {
  const setPaused = useAction('mcp.setPaused');
  return (
    <span className="status-item status-paused" title={t('status.pausedText')} role="status">
      <CirclePause size={12} strokeWidth={2} aria-hidden />
      {t('status.paused')}
      <Button size="s" busy={setPaused.isPending} onClick={() => setPaused.mutate({ paused: false })}>
        {t('status.resume')}
      </Button>
    </span>
  );
}
