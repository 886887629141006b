import { Suspense } from 'react';
import { useLayout } from '../base/layout/layout';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { t } from '../base/text/text';
import { preloaded, Tabs } from '../ui';

const ContextPanel = preloaded(() => import('../features/note').then((door) => door.ContextPanel));
const VersionsPanel = preloaded(() => import('../features/versions').then((door) => door.VersionsPanel));

/** What stands beside a note: what an answer would be sent, and how the note came about. */
export function RightPanel({ path }: { path: string }) {
  const tab = useLayout(({ activeTab }) => activeTab);
  const side = useLayout((layout) => layout.side);
  const showSide = useLayout((layout) => layout.showSide);
  return (
    <Tabs
      value={side}
      onChange={showSide}
      label={t('side.label')}
      tabs={(['context', 'history'] as const).map((value) => ({
        value,
        label: t(`side.${value}`),
        content: (
          <ErrorBoundary key={tab}>
            <Suspense>
              {value === 'context' ? <ContextPanel path={path} /> : <VersionsPanel path={path} />}
            </Suspense>
          </ErrorBoundary>
        ),
      }))}
    />
  );
}
