import { lazy, Suspense } from 'react';
import { ErrorBoundary } from './ErrorBoundary';

const ContextPanel = lazy(() =>
  import('../features/chat').then(({ ContextPanel }) => ({ default: ContextPanel })),
);

export function RightPanel({ path }: { path: string }) {
  return (
    <ErrorBoundary key={path}>
      <Suspense>
        <ContextPanel path={path} />
      </Suspense>
    </ErrorBoundary>
  );
}
