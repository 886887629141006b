import { type ComponentType, createElement, lazy, useState } from 'react';

export interface Preloaded<P> {
  (props: P): React.ReactNode;
  /** From then on it is drawn in the moment in which it is asked for. */
  preload(): Promise<void>;
}

/** A part with a file of its own. A lazy one is drawn only a moment after it is asked for, even when its file is there. */
export function preloaded<P extends object>(load: () => Promise<ComponentType<P>>): Preloaded<P> {
  let loaded: ComponentType<P> | null = null;
  const fetch = () =>
    load().then((part) => {
      loaded = part;
      return { default: part };
    });
  const Lazy = lazy(fetch) as unknown as ComponentType<P>;
  function Part(props: P) {
    const [Shown] = useState(() => loaded ?? Lazy);
    return createElement(Shown, props);
  }
  return Object.assign(Part, { preload: () => fetch().then(() => undefined) });
}
