import { Folder } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { VaultState } from '../../contract/vault';
import { Badge, Popover, StatusDot, type Tone } from '../ui';
import { usePicture } from './core';
import { ErrorBoundary } from './ErrorBoundary';
import { RunStatus } from './RunStatus';
import { summarise } from './server-state';
import { waiting } from './TrustBanner';
import { t } from './text';

const ApprovalTray = lazy(() =>
  import('../features/approvals').then((door) => ({ default: door.ApprovalTray })),
);
const ServerQuestions = lazy(() =>
  import('../features/elicitation').then((door) => ({ default: door.ServerQuestions })),
);
const StatusPopover = lazy(() => import('./StatusPopover').then((file) => ({ default: file.StatusPopover })));

export function StatusBar({ vault }: { vault: Extract<VaultState, { kind: 'open' }> }) {
  return (
    <footer className="status-bar">
      <span className="status-item" title={vault.path}>
        <Folder size={12} strokeWidth={1.75} aria-hidden />
        {vault.name}
        {!vault.writable && <Badge tone="warn">{t('status.vaultReadOnly')}</Badge>}
        {waiting(vault).length > 0 && (
          <Badge tone="warn">{t(vault.trusted ? 'status.waiting' : 'status.untrusted')}</Badge>
        )}
      </span>
      <span className="status-space" />
      <ErrorBoundary>
        <Suspense>
          <ServerQuestions />
          <ApprovalTray />
        </Suspense>
      </ErrorBoundary>
      <RunStatus />
      <Mcp />
    </footer>
  );
}

function Mcp() {
  const picture = usePicture('mcp.servers', {});
  if (!picture) return null;
  const { ready, enabled, tools, failing, starting } = summarise(picture.servers);
  const problems = failing + picture.problems.filter(({ kind }) => kind === 'wrong').length;
  const tone: Tone = problems > 0 ? 'bad' : starting > 0 ? 'accent' : ready > 0 ? 'good' : 'neutral';
  return (
    <Popover
      label={t('ribbon.servers')}
      side="top"
      align="end"
      trigger={
        <button type="button" className="status-item status-button">
          <StatusDot tone={tone} moving={starting > 0} />
          {t('status.mcp', { ready, enabled })} · {t('status.tools', { n: tools })}
          {failing > 0 && <span className="visually-hidden">{t('status.failing', { n: failing })}</span>}
        </button>
      }
    >
      <Suspense>
        <StatusPopover servers={picture.servers} problems={picture.problems} />
      </Suspense>
    </Popover>
  );
}
