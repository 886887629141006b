import { Suspense, useEffect } from 'react';
import { useConnected } from '../base/core/connected';
import { useAction } from '../base/core/core';
import { useLayout } from '../base/layout/layout';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { t } from '../base/text/text';
import { visible } from '../base/text/visible';
import { ConfirmDialog, preloadAll, preloaded } from '../ui';
import { HeldKeys } from './HeldKeys';

const CommandPalette = preloaded(() => import('./CommandPalette').then((file) => file.CommandPalette));
const QuickSwitcher = preloaded(() => import('./QuickSwitcher').then((file) => file.QuickSwitcher));
const SettingsDialog = preloaded(() => import('../features/settings').then((door) => door.SettingsDialog));
const ToolBrowser = preloaded(() => import('../features/tools').then((door) => door.ToolBrowser));
const DeletedNotes = preloaded(() => import('../features/versions').then((door) => door.DeletedNotes));
const RecoveredTexts = preloaded(() => import('../features/versions').then((door) => door.RecoveredTexts));
const BeforeAnswer = preloaded(() => import('../features/versions').then((door) => door.BeforeAnswer));
const NewEntity = preloaded(() => import('../features/projects').then((door) => door.NewEntity));
const OwnApprovals = preloaded(() => import('../features/approvals').then((door) => door.OwnApprovals));
const ServerView = preloaded(() => import('../features/views').then((door) => door.ServerView));

export function Modals() {
  const connected = useConnected();
  // People type on at once after their keys. What could not be fetched is, once the core is back.
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void preloadAll(leaving.signal), 500);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [connected]);
  return (
    <>
      <ShownModal />
      <ErrorBoundary small>
        <LinkDialog />
      </ErrorBoundary>
    </>
  );
}

function LinkDialog() {
  const { link, forgetLink } = useLayout();
  const open = useAction('app.openExternal');
  if (link === null) return null;
  return (
    <ConfirmDialog
      title={t('link.title')}
      text={visible(link)}
      confirm={t('link.open')}
      cancel={t('ui.cancel')}
      onConfirm={() => open.mutate({ url: link })}
      onClose={forgetLink}
    />
  );
}

function ShownModal() {
  const { modal, hideModal } = useLayout();
  if (!modal) return null;
  const content = () => {
    switch (modal.kind) {
      case 'palette':
        return <CommandPalette onClose={hideModal} />;
      case 'switcher':
        return <QuickSwitcher onClose={hideModal} />;
      case 'settings':
        return <SettingsDialog section={modal.section} onClose={hideModal} />;
      case 'new-entity':
        return <NewEntity type={modal.type} onClose={hideModal} />;
      case 'deleted-notes':
        return <DeletedNotes onClose={hideModal} />;
      case 'recovery':
        return <RecoveredTexts about={modal.about} onClose={hideModal} />;
      case 'before-answer':
        return <BeforeAnswer runId={modal.runId} onClose={hideModal} />;
      case 'tools':
        return (
          <ToolBrowser
            serverId={modal.serverId}
            first={modal.tool ?? null}
            approvalFor={({ serverId, name }) => (
              <ErrorBoundary small>
                <Suspense>
                  <OwnApprovals serverId={serverId} tool={name} />
                </Suspense>
              </ErrorBoundary>
            )}
            view={(tool, path, args, outcome) => (
              <ErrorBoundary>
                <Suspense>
                  <ServerView
                    tool={tool}
                    path={path}
                    args={args}
                    outcome={outcome}
                    approvals={<OwnApprovals serverId={tool.serverId} tool={null} />}
                    approvalsIn="view"
                  />
                </Suspense>
              </ErrorBoundary>
            )}
            onClose={hideModal}
          />
        );
    }
  };
  return (
    <ErrorBoundary key={modal.kind}>
      <Suspense fallback={<HeldKeys onClose={hideModal} />}>{content()}</Suspense>
    </ErrorBoundary>
  );
}
