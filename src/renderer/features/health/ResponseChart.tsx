import type uPlot from 'uplot';
import { usePlot } from '../../base/parts/use-plot';
import { shortMs } from '../../base/text/format';

const height = 76;

/** Painted when points arrive, and not otherwise. */
export function ResponseChart({ points }: { points: readonly { at: number; ms: number }[] }) {
  const data: uPlot.AlignedData = [points.map(({ at }) => at / 1_000), points.map(({ ms }) => ms)];
  const last = points.at(-1);
  const place = usePlot({ options, data }, [last?.at, last?.ms, points.length]);
  return <div ref={place} className="health-plot" />;
}

function options(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    width: element.clientWidth,
    height,
    padding: [6, 2, 4, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(10, max * 1.1)] } },
    axes: [
      { show: false },
      {
        size: 44,
        gap: 6,
        stroke: colour('--text-faint'),
        font: `11px ${style.fontFamily}`,
        grid: { stroke: colour('--line-soft'), width: 1 },
        ticks: { show: false },
        splits: (_, __, min, max) => [min, max / 2, max].map((one) => Math.round(one)),
        values: (_, splits) => splits.map((ms) => shortMs(ms)),
      },
    ],
    series: [
      {},
      { stroke: colour('--accent'), width: 1.5, fill: `${colour('--accent')}1c`, points: { show: false } },
    ],
  };
}
