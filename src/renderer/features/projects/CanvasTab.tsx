import { Suspense } from 'react';
import { preloaded, Spinner } from '../../ui';
import './projects.css';

const CanvasView = preloaded(() => import('./canvas/CanvasView').then((file) => file.CanvasView));
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
