import { type ComponentType, createElement, lazy, useState } from 'react';
import { renewFailedStyles } from './failed-styles';

interface Part {
  preload(): Promise<void>;
  /** What could not be fetched is fetched again when it is drawn next. */
  renew(): void;
}

/** In the order in which they are declared. */
const parts: Part[] = [];

/** A part with a file of its own. A lazy one is drawn only a moment after it is asked for, even when its file is there. */
export function preloaded<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  let failed = false;
  const fetch = async () => {
    // A stylesheet that failed before may be its own, or another's.
    const styles = renewFailedStyles();
    await (failed ? styles : styles.catch(() => undefined));
    try {
      const part = await load();
      loaded = part;
      return { default: part };
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const fresh = () => lazy(fetch) as unknown as ComponentType<P>;
  let later = fresh();
  parts.push({
    preload: async () => {
      if (!loaded) await fetch();
    },
    renew: () => {
      if (!loaded) later = fresh();
    },
  });
  return function Preloaded(props: P) {
    const [Shown] = useState(() => loaded ?? later);
    return createElement(Shown, props);
  };
}

/** One after the other, so that each is drawn in the moment in which it is asked for, and also when the core is away. */
export async function preloadAll(signal: AbortSignal): Promise<void> {
  for (const part of parts) if (!signal.aborted) await part.preload().catch(() => undefined);
}

export function renewFailed(): void {
  for (const part of parts) part.renew();
}
