import { useEffect, useState } from 'react';
import { t } from '../../../base/text/text';
import type { Canvas } from './use-canvas';

/** Arranges all nodes; `stop` is there while that goes on. */
export function useArranging(canvas: Canvas, onArranged: () => void) {
  const [stopping, setStopping] = useState<AbortController | null>(null);
  useEffect(() => () => stopping?.abort(), [stopping]);

  async function arrangeAll(): Promise<void> {
    const stopping = new AbortController();
    setStopping(stopping);
    try {
      const { arrange } = await import('./arrange');
      const places = await arrange(canvas.present(), stopping.signal);
      if (await canvas.arrangeAs(places)) onArranged();
    } catch (error) {
      if (!stopping.signal.aborted) {
        const why = error instanceof Error ? error.message : String(error);
        canvas.tell({ kind: 'failed', title: t('canvas.arrangeFailed'), why });
      }
    } finally {
      setStopping(null);
    }
  }

  return { arrangeAll, stop: stopping && (() => stopping.abort(new Error())) };
}
