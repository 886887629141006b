import { lazy, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary';
import { useLayout } from './layout';

const ContextPanel = lazy(() =>
  import('../features/chat').then(({ ContextPanel }) => ({ default: ContextPanel })),
);

export function RightPanel({ path }: { path: string }) {
  const tab = useLayout(({ activeTab }) => activeTab);
  return (
    <ErrorBoundary key={tab}>
      <Suspense>
        <ContextPanel path={path} />
      </Suspense>
    </ErrorBoundary>
  );
}
