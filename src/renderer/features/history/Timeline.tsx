import { useRef, useState } from 'react';
import uPlot from 'uplot';
import type { HistoryOverview } from '../../../contract/history';
import { usePlot } from '../../base/parts/use-plot';
import { dayAndTime, shortDate, shortTime } from '../../base/text/format';
import { t } from '../../base/text/text';

const height = 92;
const longSpan = 2 * 86_400_000;

export interface TimelineProps {
  overview: HistoryOverview;
  onNarrow(since: number, before: number): void;
}

/** Calls over time. A stretch that is drawn, or a bar that is clicked, narrows the time. */
export function Timeline({ overview, onNarrow }: TimelineProps) {
  const [under, setUnder] = useState<number | null>(null);
  const newest = useRef({ overview, onNarrow });
  newest.current = { overview, onNarrow };
  const narrow = (since: number, before: number) => newest.current.onNarrow(since, before);
  const place = usePlot(
    {
      options: (element) => options(element, () => newest.current.overview, narrow, setUnder),
      data: dataOf(overview),
    },
    [overview],
  );

  const { total, from, step, bars } = overview;
  const bar = under === null ? undefined : bars[under];
  const words = (calls: number, failed: number) =>
    [
      t('history.calls', { count: calls }),
      ...(failed > 0 ? [t('history.failed', { count: failed })] : []),
    ].join(' · ');
  const failed = bars.reduce((sum, one) => sum + one.failed, 0);
  return (
    <figure className="history-timeline">
      <figcaption>
        {under !== null && bar ? (
          <>
            {dayAndTime(from + under * step)} · {words(bar.calls, bar.failed)}
          </>
        ) : (
          <>
            {words(total, failed)}
            <small>{t('history.brush')}</small>
          </>
        )}
      </figcaption>
      <div ref={place} role="img" aria-label={words(total, failed)} />
    </figure>
  );
}

function dataOf({ from, step, bars }: HistoryOverview): uPlot.AlignedData {
  const middle = (at: number) => (from + (at + 0.5) * step) / 1_000;
  return [
    bars.map((_, at) => middle(at)),
    bars.map(({ calls }) => calls || null),
    bars.map(({ failed }) => failed || null),
  ];
}

function options(
  element: HTMLElement,
  overview: () => HistoryOverview,
  narrow: (since: number, before: number) => void,
  setUnder: (at: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const drawn = uPlot.paths.bars?.({ size: [0.82, 28], radius: 0.15 });
  const bars = (name: string): uPlot.Series => ({
    fill: colour(name),
    width: 0,
    points: { show: false },
    ...(drawn && { paths: drawn }),
  });
  const axis = { stroke: colour('--text-faint'), font: `11px ${style.fontFamily}`, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height,
    padding: [6, 16, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: 5 },
    },
    scales: {
      x: {
        range: () => {
          const { from, step, bars: all } = overview();
          return [from / 1_000, (from + Math.max(1, all.length) * step) / 1_000];
        },
      },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
    },
    axes: [
      {
        ...axis,
        size: 22,
        gap: 4,
        grid: { show: false },
        space: 90,
        values: (_, splits) => {
          const { step, bars: all } = overview();
          const isLong = step * all.length > longSpan;
          const labels = splits.map((seconds) => (isLong ? shortDate : shortTime)(seconds * 1_000));
          return labels.map((label, at) => (label === labels[at - 1] ? '' : label));
        },
      },
      {
        ...axis,
        size: 36,
        gap: 6,
        grid: { stroke: colour('--line-soft'), width: 1 },
        splits: (_, __, ___, max) => [0, Math.max(1, Math.round(max))],
      },
    ],
    series: [{}, bars('--accent'), bars('--bad-dot')],
    hooks: {
      setCursor: [({ cursor }) => setUnder(cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width === 0) return;
          const at = (x: number) => Math.round(plot.posToVal(x, 'x') * 1_000);
          narrow(at(left), at(left + width));
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
      ready: [
        (plot) =>
          plot.over.addEventListener('click', () => {
            const { from, step, bars: all } = overview();
            const at = plot.cursor.idx;
            if (at != null && all[at]?.calls) narrow(from + at * step, from + (at + 1) * step);
          }),
      ],
    },
  };
}
