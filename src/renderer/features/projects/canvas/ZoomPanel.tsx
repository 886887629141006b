import { Panel, useReactFlow } from '@xyflow/react';
import { Map as MapIcon, Maximize, Minus, Plus } from 'lucide-react';
import { t } from '../../../base/text/text';
import { IconButton } from '../../../ui';

export interface ZoomPanelProps {
  map: boolean;
  onFit(): void;
  onMap(): void;
}

export function ZoomPanel({ map, onFit, onMap }: ZoomPanelProps) {
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className="canvas-zoom">
      <IconButton icon={Plus} label={t('canvas.zoomIn')} side="top" onClick={() => void flow.zoomIn()} />
      <IconButton icon={Minus} label={t('canvas.zoomOut')} side="top" onClick={() => void flow.zoomOut()} />
      <IconButton icon={Maximize} label={t('canvas.fit')} side="top" onClick={onFit} />
      <IconButton icon={MapIcon} label={t('canvas.map')} side="top" pressed={map} onClick={onMap} />
    </Panel>
  );
}
