import { lazy, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary';
import { useLayout } from './layout';

const CommandPalette = lazy(() =>
  import('./CommandPalette').then((file) => ({ default: file.CommandPalette })),
);
const QuickSwitcher = lazy(() => import('./QuickSwitcher').then((file) => ({ default: file.QuickSwitcher })));
const SettingsDialog = lazy(() =>
  import('../features/settings').then((door) => ({ default: door.SettingsDialog })),
);
const ToolBrowser = lazy(() => import('../features/tools').then((door) => ({ default: door.ToolBrowser })));

export function Modals() {
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
      case 'tools':
        return <ToolBrowser serverId={modal.serverId} onClose={hideModal} />;
    }
  };
  return (
    <ErrorBoundary key={modal.kind}>
      <Suspense>{shown()}</Suspense>
    </ErrorBoundary>
  );
}
