import 'uplot/dist/uPlot.min.css';
import { type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useShownTheme } from '../layout/theme';

export interface PlotParts {
  /** Asked again in another theme, which has other colours. */
  options(element: HTMLElement): uPlot.Options;
  data: uPlot.AlignedData;
}

/** A chart as wide as the element that gets `place`, painted when `changes` do, and not otherwise. */
export function usePlot(parts: PlotParts, changes: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  const theme = useShownTheme();
  const newest = useRef(parts);
  newest.current = parts;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const options = newest.current.options(element);
    const created = new uPlot(options, newest.current.data, element);
    chart.current = created;
    const observer = new ResizeObserver(() =>
      created.setSize({ width: element.clientWidth, height: options.height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      chart.current = null;
    };
  }, [theme]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller knows when its data is new.
  useEffect(() => chart.current?.setData(newest.current.data), changes);

  return place;
}
