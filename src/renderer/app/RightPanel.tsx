import { PanelRight } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../ui';
import { ErrorBoundary } from './ErrorBoundary';
import { useActiveNote } from './layout';
import { t } from './text';

const ContextPanel = lazy(() =>
  import('../features/chat').then(({ ContextPanel }) => ({ default: ContextPanel })),
);

export function RightPanel() {
  const path = useActiveNote();
  if (path === null) {
    return <EmptyState icon={PanelRight} title={t('tabs.noContext')} text={t('tabs.noContextText')} />;
  }
  return (
    <ErrorBoundary key={path}>
      <Suspense>
        <ContextPanel path={path} />
      </Suspense>
    </ErrorBoundary>
  );
}
