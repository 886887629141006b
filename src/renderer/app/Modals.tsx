import { lazy, Suspense, useEffect } from 'react';
import { ConfirmDialog } from '../ui';
import { useAction } from './core';
import { ErrorBoundary } from './ErrorBoundary';
import { useLayout } from './layout';
import { t } from './text';
import { visible } from './visible';

const palette = () => import('./CommandPalette');
const switcher = () => import('./QuickSwitcher');
const CommandPalette = lazy(() => palette().then((file) => ({ default: file.CommandPalette })));
const QuickSwitcher = lazy(() => switcher().then((file) => ({ default: file.QuickSwitcher })));
const SettingsDialog = lazy(() =>
  import('../features/settings').then((door) => ({ default: door.SettingsDialog })),
);
const OwnApprovals = lazy(() =>
  import('../features/approvals').then((door) => ({ default: door.OwnApprovals })),
);
const ServerView = lazy(() => import('../features/views').then((door) => ({ default: door.ServerView })));
const ToolBrowser = lazy(() => import('../features/tools').then((door) => ({ default: door.ToolBrowser })));
const DeletedNotes = lazy(() =>
  import('../features/versions').then((door) => ({ default: door.DeletedNotes })),
);
const BeforeAnswer = lazy(() =>
  import('../features/versions').then((door) => ({ default: door.BeforeAnswer })),
);
const NewEntity = lazy(() => import('../features/projects').then((door) => ({ default: door.NewEntity })));

export function Modals() {
  // People type on at once after their keys, so these two are fetched before they are asked for.
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled([palette(), switcher()]), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <ShownModal />
      <LinkDialog />
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
  const shown = () => {
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
      case 'before-answer':
        return <BeforeAnswer runId={modal.runId} onClose={hideModal} />;
      case 'tools':
        return (
          <ToolBrowser
            serverId={modal.serverId}
            first={modal.tool ?? null}
            asked={({ serverId, name }) => (
              <Suspense>
                <OwnApprovals serverId={serverId} tool={name} />
              </Suspense>
            )}
            view={(tool, path, args, outcome) => (
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
            )}
            onClose={hideModal}
          />
        );
    }
  };
  return (
    <ErrorBoundary key={modal.kind}>
      <Suspense>{shown()}</Suspense>
    </ErrorBoundary>
  );
}
