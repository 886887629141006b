import type { CanvasContent } from '../../../../contract/projects';
import { t } from '../../../base/text/text';

const words = {
  depends: 'canvas.legendDepends',
  parent: 'canvas.legendParent',
  drawn: 'canvas.legendDrawn',
} as const;

/** Which line means what; kinds that are not there are not explained. */
export function Legend({ edges }: Pick<CanvasContent, 'edges'>) {
  const kinds = (['depends', 'parent', 'drawn'] as const).filter((kind) =>
    edges.some((edge) => edge.kind === kind),
  );
  return (
    <span className="canvas-legend">
      {kinds.map((kind) => (
        <span key={kind}>
          <svg width="26" height="8" aria-hidden className={`canvas-edge-${kind}`}>
            <path d="M0 4 H26" />
          </svg>
          {t(words[kind])}
        </span>
      ))}
    </span>
  );
}
