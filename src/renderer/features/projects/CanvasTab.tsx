import { lazy, Suspense } from 'react';
import { Spinner } from '../../ui';
import './projects.css';

const CanvasView = lazy(() => import('./canvas/CanvasView').then((file) => ({ default: file.CanvasView })));
const everything = { workstream: null, workspace: null };

/** A canvas file in a tab of its own. */
export function CanvasTab({ path }: { path: string }) {
  return (
    <section className="canvas-tab" aria-label={path}>
      <Suspense fallback={<Spinner size={20} />}>
        <CanvasView path={path} scope={everything} />
      </Suspense>
    </section>
  );
}
